-- Filetypes, the server, and the one command `:Dramaturg`.
if vim.g.loaded_dramaturg then
  return
end
vim.g.loaded_dramaturg = true

vim.filetype.add({
  extension = { wf = 'dramaturg-workflow' },
  pattern = { ['.*%.task%.xml'] = { 'dramaturg-task', { priority = 10 } } },
})
vim.treesitter.language.register('dramaturg_workflow', 'dramaturg-workflow')
vim.treesitter.language.register('xml', 'dramaturg-task')

local group = vim.api.nvim_create_augroup('dramaturg', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'dramaturg-workflow', 'dramaturg-task' },
  callback = function(event)
    require('dramaturg').set_up_buffer(event.buf, event.match)
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'dramaturg' then
      require('dramaturg').on_attach(client, event.buf)
    end
  end,
})

vim.api.nvim_create_user_command('Dramaturg', function(arguments)
  require('dramaturg.commands').run(arguments)
end, {
  nargs = '*',
  range = true,
  desc = 'Run, preview and look at workflows and tasks',
  complete = function(lead, line)
    return require('dramaturg.commands').complete(lead, line)
  end,
})

if vim.g.dramaturg_enable ~= false then
  vim.lsp.enable('dramaturg')
end
