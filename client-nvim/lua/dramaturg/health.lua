-- `:checkhealth dramaturg`
local M = {}

function M.check()
  local health = vim.health
  health.start('dramaturg')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim 0.11 or later')
  else
    health.error('Neovim 0.11 or later is needed')
  end
  local command = require('dramaturg.options').command()
  if vim.fn.executable(command[1]) == 1 then
    health.ok('server: ' .. table.concat(command, ' '))
  else
    health.error(command[1] .. ' is not on the PATH', {
      '`pip install dramaturg` into an environment of your own, or',
      'set vim.g.dramaturg_command to where it is',
    })
  end
  local client = vim.lsp.get_clients({ name = 'dramaturg' })[1]
  if client then
    local version = client.server_info and client.server_info.version or 'of unknown version'
    health.ok('running: ' .. version .. ', root ' .. (client.root_dir or 'none'))
    local trusted = require('dramaturg.trust').is_trusted(client.root_dir or vim.fn.getcwd())
    health.info(trusted and 'this workspace is trusted' or 'this workspace is not trusted: `:Dramaturg trust`')
  else
    health.info('not running: it starts with the first workflow or task template')
  end
  if require('dramaturg.parser').find() then
    health.ok('tree-sitter parser of workflows')
  else
    health.warn('the tree-sitter parser is not built', { '`:Dramaturg parser` builds it with a C compiler' })
  end
  if vim.fn.executable('git') == 1 then
    health.ok('git')
  else
    health.warn('git is not on the PATH: context matches need it')
  end
end

return M
