-- The language server's configuration, as `vim.lsp.enable('dramaturg')` reads it.
local options = require('dramaturg.options')

return {
  cmd = options.command(),
  filetypes = { 'dramaturg-workflow', 'dramaturg-task' },
  root_markers = { 'dramaturg.toml', '.git' },
  before_init = function(params, config)
    local root = config.root_dir or vim.fn.getcwd()
    params.initializationOptions = {
      trusted = require('dramaturg.trust').is_trusted(root),
      runEvents = true,
      replay = vim.g.dramaturg_replay,
      inlayHints = vim.g.dramaturg_inlay_hints,
    }
  end,
  handlers = {
    ['dramaturg/runEvent'] = function(_, event)
      require('dramaturg.runs').on_event(event)
    end,
  },
}
