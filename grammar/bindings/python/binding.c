/* The grammar as a Python extension: `language()` gives the capsule that
 * `tree_sitter.Language` takes. */
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_dramaturg_workflow(void);

static PyObject *language(PyObject *self, PyObject *args) {
  (void)self;
  (void)args;
  return PyCapsule_New((void *)tree_sitter_dramaturg_workflow(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", language, METH_NOARGS, "The tree-sitter language of workflow files, as a capsule."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_workflow_grammar",
    .m_doc = "The compiled tree-sitter grammar of the workflow language.",
    .m_size = 0,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__workflow_grammar(void) { return PyModule_Create(&module); }
