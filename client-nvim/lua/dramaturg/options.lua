-- What the user can set, as `vim.g.dramaturg_*`; `:help dramaturg-options`.
local M = {}

--- The command that starts the server, as a list.
function M.command()
  local command = vim.g.dramaturg_command or { 'dramaturg', 'lsp' }
  return type(command) == 'string' and { command, 'lsp' } or command
end

--- Whether an option that is a boolean is on.
function M.is_on(name, default)
  local value = vim.g['dramaturg_' .. name]
  if value == nil then
    return default
  end
  return value == true or value == 1
end

return M
