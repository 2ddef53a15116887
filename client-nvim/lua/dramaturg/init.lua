-- What a buffer of ours gets: highlighting, folds, comments, code lenses, inlay hints.
local options = require('dramaturg.options')

local M = {}

--- Options of a buffer, and tree-sitter where its parser is installed.
function M.set_up_buffer(buffer, filetype)
  vim.bo[buffer].commentstring = filetype == 'dramaturg-workflow' and '; %s' or '<!-- %s -->'
  if filetype == 'dramaturg-workflow' then
    vim.bo[buffer].lisp = true
    vim.bo[buffer].expandtab = true
    vim.bo[buffer].shiftwidth = 2
    vim.bo[buffer].iskeyword = '@,48-57,_,-,:,*,.,!,?,+,/,<,>,=,192-255'
  end
  require('dramaturg.parser').find()
  if not pcall(vim.treesitter.start, buffer) and filetype == 'dramaturg-task' then
    vim.bo[buffer].syntax = 'xml'
  end
end

--- What needs the server.
function M.on_attach(client, buffer)
  require('dramaturg.commands') -- Code lenses run what it registers.
  if client:supports_method('textDocument/codeLens') and options.is_on('code_lens', true) then
    vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
      buffer = buffer,
      callback = function()
        vim.lsp.codelens.refresh({ bufnr = buffer })
      end,
    })
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  if client:supports_method('textDocument/inlayHint') and options.is_on('show_inlay_hints', false) then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if client:supports_method('textDocument/completion') and options.is_on('autocomplete', false) then
    vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = true })
  end
end

--- The server's client for a buffer, or any; nil with a message where there is none.
function M.client(buffer)
  local found = vim.lsp.get_clients({ name = 'dramaturg', bufnr = buffer })[1]
    or vim.lsp.get_clients({ name = 'dramaturg' })[1]
  if not found then
    M.say('the server is not running: open a workflow or a task template, and see `:checkhealth dramaturg`', 'WARN')
  end
  return found
end

--- Executes one of the server's commands; `done` gets its result.
function M.execute(command, argument, done)
  local client = M.client(0)
  if not client then
    return
  end
  local parameters = { command = command, arguments = { argument or vim.empty_dict() } }
  client:request('workspace/executeCommand', parameters, function(failure, result)
    if failure then
      M.say(failure.message, 'ERROR')
    else
      done(result)
    end
  end)
end

--- A message to the user.
function M.say(message, level)
  vim.notify('dramaturg: ' .. message, vim.log.levels[level or 'INFO'])
end

return M
