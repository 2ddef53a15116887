;;; dramaturg.el --- LLM workflows and task templates  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; Major modes for workflows (`*.wf') and task templates (`*.task.xml'), the
;; language server through eglot, and commands that run, preview, and show
;; which files of the repository matter.

;;; Code:

(require 'cl-lib)
(require 'lisp-mode)
(require 'nxml-mode)
(require 'eglot)

(defgroup dramaturg nil
  "LLM workflows and task templates."
  :group 'tools)

(defcustom dramaturg-command '("dramaturg" "lsp")
  "The command that starts the language server."
  :type '(repeat string))

(defcustom dramaturg-trusted nil
  "Whether workspaces may call models and run scripts: t, or a list of their folders."
  :type '(choice boolean (repeat directory)))

(defconst dramaturg--forms
  '("define" "bind" "lambda" "let" "let*" "letrec" "if" "cond" "when" "unless" "and" "or" "set!" "progn" "begin"
    "repeat" "loop" "while" "try" "catch" "quote" "quasiquote" "defatom" "deftest" "load" "pmap" "sequential" "step"
    "reduce-task" "director-evaluator-loop" "director-loop" "iterative-loop")
  "The special forms, for colours where the server sends none.")

(defvar dramaturg-workflow-mode-syntax-table
  (let ((table (make-syntax-table lisp-data-mode-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?# ". 14bn" table)
    (modify-syntax-entry ?| ". 23bn" table)
    (modify-syntax-entry ?: "_" table)
    (modify-syntax-entry ?. "_" table)
    table)
  "Syntax of workflows: Lisp's, with `:' and `.' in names, and `#|...|#'.")

(defvar dramaturg--keywords
  `((,(concat "(" (regexp-opt dramaturg--forms t) "\\_>") 1 font-lock-keyword-face)
    ("(\\(?:define\\|defatom\\|deftest\\)\\s-+(?\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-function-name-face)
    ("\\_<\\(?:true\\|false\\|nil\\|#t\\|#f\\)\\_>" . font-lock-constant-face)
    ("{{[^{}\n]+}}" 0 font-lock-variable-name-face prepend)))

;;;###autoload
(define-derived-mode dramaturg-workflow-mode lisp-data-mode "Workflow"
  "Major mode for workflows."
  (setq-local font-lock-defaults '(dramaturg--keywords))
  (setq-local comment-start ";")
  (setq-local indent-tabs-mode nil)
  (setq-local lisp-indent-function #'dramaturg--indent))

(defun dramaturg--indent (indent-point state)
  "Indents bodies of forms by two, as the formatter does.
INDENT-POINT and STATE are `lisp-indent-function's."
  (goto-char (1+ (elt state 1)))
  (let ((head (and (looking-at "\\(\\sw\\|\\s_\\)+") (match-string-no-properties 0))))
    (if (and head (member head dramaturg--forms) (not (member head '("if" "and" "or" "set!" "quote"))))
        (progn (goto-char (elt state 1)) (+ 2 (current-column)))
      (lisp-indent-function indent-point state))))

;;;###autoload
(define-derived-mode dramaturg-task-mode nxml-mode "Task"
  "Major mode for task templates.")

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.wf\\'" . dramaturg-workflow-mode))
  (add-to-list 'auto-mode-alist '("\\.task\\.xml\\'" . dramaturg-task-mode)))

(defclass dramaturg-server (eglot-lsp-server) ()
  "The language server of workflows and task templates.")

(defun dramaturg--root (server)
  "The folder that SERVER works on."
  (expand-file-name (project-root (eglot--project server))))

(cl-defmethod eglot-initialization-options ((server dramaturg-server))
  "What SERVER is told of the user's trust."
  (list :trusted
        (if (or (eq dramaturg-trusted t)
                (and (listp dramaturg-trusted)
                     (member (dramaturg--root server) (mapcar #'file-name-as-directory dramaturg-trusted))))
            t
          :json-false)))

(defun dramaturg--contact (&optional _interactive)
  "How eglot starts the server."
  (cons 'dramaturg-server dramaturg-command))

(add-to-list 'eglot-server-programs
             '(((dramaturg-workflow-mode :language-id "dramaturg-workflow")
                (dramaturg-task-mode :language-id "dramaturg-task"))
               . dramaturg--contact))

(defun dramaturg--execute (command argument)
  "The result of the server's COMMAND with ARGUMENT."
  (eglot-execute-command (eglot--current-server-or-lose) (intern command) (vector argument)))

(defun dramaturg--uri ()
  "The URI of the buffer's file."
  (eglot--path-to-uri buffer-file-name))

(defun dramaturg--show (name text)
  "Shows TEXT in a buffer called NAME."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(defun dramaturg-run ()
  "Runs the workflow of the buffer and shows its value."
  (interactive)
  (let ((result (dramaturg--execute "dramaturg.runWorkflow" (list :uri (dramaturg--uri)))))
    (dramaturg--show "*dramaturg run*" (format "%s\n\n%s\n" (plist-get result :status) (plist-get result :content)))
    result))

(defun dramaturg--tasks ()
  "The names of the workspace's tasks."
  (mapcar (lambda (task) (plist-get task :name)) (dramaturg--execute "dramaturg.listTasks" (make-hash-table))))

(defun dramaturg-run-task (name)
  "Asks for the inputs of the task NAME, runs it and shows its answer."
  (interactive (list (completing-read "Task: " (dramaturg--tasks) nil t)))
  (let* ((task (cl-find name (dramaturg--execute "dramaturg.listTasks" (make-hash-table))
                        :key (lambda (item) (plist-get item :name)) :test #'equal))
         (inputs (make-hash-table :test #'equal)))
    (seq-doseq (input (plist-get task :inputs))
      (when (eq (plist-get input :required) t)
        (puthash (plist-get input :name) (read-string (format "%s: " (plist-get input :name))) inputs)))
    (let ((result (dramaturg--execute "dramaturg.runTask" (list :name name :inputs inputs))))
      (dramaturg--show "*dramaturg run*" (format "%s\n\n%s\n" (plist-get result :status) (plist-get result :content)))
      result)))

(defun dramaturg-context (query)
  "Shows the files that matter for QUERY, as a list to jump through."
  (interactive "sContext for: ")
  (let* ((result (dramaturg--execute "dramaturg.contextMatches" (list :query query)))
         (lines (mapcar (lambda (match)
                          (format "%s:%d: %.2f" (plist-get match :path)
                                  (1+ (plist-get (plist-get (plist-get match :range) :start) :line))
                                  (plist-get match :relevance)))
                        (plist-get result :matches))))
    (dramaturg--show "*dramaturg context*" (concat (mapconcat #'identity lines "\n") "\n"))
    (with-current-buffer "*dramaturg context*" (grep-mode))
    result))

(provide 'dramaturg)
;;; dramaturg.el ends here
