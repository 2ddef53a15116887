-- The tree-sitter parser of workflows, built from the grammar's sources with a C compiler.
local M = {}

local function installed()
  return vim.fs.joinpath(vim.fn.stdpath('data'), 'site', 'parser', 'dramaturg_workflow.so')
end

local function sources()
  local here = debug.getinfo(1, 'S').source:sub(2)
  local plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(here)))
  return vim.g.dramaturg_grammar or vim.fs.joinpath(vim.fs.dirname(plugin), 'grammar', 'src')
end

--- Makes the parser known where it was built; whether it was.
function M.find()
  if not vim.uv.fs_stat(installed()) then
    return false
  end
  return (pcall(vim.treesitter.language.add, 'dramaturg_workflow', { path = installed() }))
end

--- Builds the parser; says what is missing where it cannot.
function M.build()
  local say = require('dramaturg').say
  local source = sources()
  if not vim.uv.fs_stat(vim.fs.joinpath(source, 'parser.c')) then
    return say('the grammar is not at ' .. source .. ': set vim.g.dramaturg_grammar to its `src`', 'ERROR')
  end
  local compiler = vim.iter({ vim.env.CC or 'cc', 'cc', 'gcc', 'clang' }):find(function(name)
    return vim.fn.executable(name) == 1
  end)
  if not compiler then
    return say('a C compiler is needed to build the parser', 'ERROR')
  end
  vim.fn.mkdir(vim.fs.dirname(installed()), 'p')
  local command = { compiler, '-shared', '-fPIC', '-O2', '-I', source, '-o', installed() }
  vim.list_extend(command, { vim.fs.joinpath(source, 'parser.c'), vim.fs.joinpath(source, 'scanner.c') })
  local done = vim.system(command, { text = true }):wait()
  if done.code ~= 0 then
    return say('the parser was not built: ' .. (done.stderr or ''), 'ERROR')
  end
  M.find()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].filetype == 'dramaturg-workflow' then
      pcall(vim.treesitter.start, buffer)
    end
  end
  say('the parser is built: ' .. installed())
end

return M
