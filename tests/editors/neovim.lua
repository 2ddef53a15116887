-- A conversation with a real Neovim through the plugin's own commands, on a copy of the example workspace.
-- Each `check` is a line of output; the first that fails ends Neovim with 1.
local say = io.stderr

local function check(what, condition, seen)
  say:write(('%s %s\n'):format(condition and 'ok  ' or 'FAIL', what))
  if not condition then
    say:write(vim.inspect(seen) .. '\n' .. vim.fn.execute('messages') .. '\n')
    vim.cmd('cquit 1')
  end
end

local function wait(what, condition, seen)
  check(what, vim.wait(15000, condition, 20), seen and seen())
end

local function lines_of(name)
  local buffer = vim.fn.bufnr(name)
  return buffer > 0 and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') or ''
end

local messages = {}
vim.notify = function(message)
  messages[#messages + 1] = message
end

local function main()
  -- The parser is built, and queries parse with it.
  vim.cmd('Dramaturg parser')
  check('the parser is built', require('dramaturg.parser').find(), messages)
  for _, kind in ipairs({ 'highlights', 'folds', 'indents', 'injections', 'locals' }) do
    check('query: ' .. kind, vim.treesitter.query.get('dramaturg_workflow', kind) ~= nil)
  end

  -- Diagnostics, at columns counted in bytes.
  vim.cmd.edit('new.wf')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '(list "😀é" missing)', '(plan-fix (reprot "x"))' })
  check('filetype', vim.bo.filetype == 'dramaturg-workflow', vim.bo.filetype)
  wait('the server is attached', function()
    return #vim.lsp.get_clients({ name = 'dramaturg', bufnr = 0 }) == 1
  end)
  wait('three diagnostics', function()
    return #vim.diagnostic.get(0) == 3
  end, function()
    return vim.diagnostic.get(0)
  end)
  check('the column behind an emoji', vim.diagnostic.get(0)[1].col == 15, vim.diagnostic.get(0)[1])
  check('highlighting by tree-sitter', vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil)

  -- The hover's float.
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  vim.lsp.buf.hover()
  local function float()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
      end
    end
    return ''
  end
  wait('hover', function()
    return float():find('Drafts a plan', 1, true) ~= nil
  end, float)
  vim.cmd('silent! fclose!')

  -- A misspelt input is mended by its code action.
  vim.api.nvim_win_set_cursor(0, { 2, 12 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find('Change to `report`', 1, true) ~= nil
    end,
  })
  wait('the quick fix is applied', function()
    return vim.api.nvim_buf_get_lines(0, 1, 2, false)[1] == '(plan-fix (report "x"))'
  end, function()
    return vim.api.nvim_buf_get_lines(0, 0, -1, false)
  end)

  -- Completion.
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '(plan-fix (' })
  local client = vim.lsp.get_clients({ name = 'dramaturg' })[1]
  vim.api.nvim_win_set_cursor(0, { 1, 11 })
  wait('the unclosed form is reported', function()
    local found = vim.diagnostic.get(0)
    return #found > 0 and found[1].message:find('never closed', 1, true) ~= nil
  end, function()
    return vim.diagnostic.get(0)
  end)
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  place.position.character = 11
  local found = client:request_sync('textDocument/completion', place, 5000, 0)
  local first = found and found.result and found.result.items and found.result.items[1]
  check('completion', first and first.label == 'report', found)

  -- Renaming an input changes the template and a workflow that is not open.
  vim.cmd('silent! edit! tasks/plan-fix.task.xml')
  check('filetype of templates', vim.bo.filetype == 'dramaturg-task', vim.bo.filetype)
  local line = vim.fn.search('{{report}}')
  vim.api.nvim_win_set_cursor(0, { line, vim.fn.getline(line):find('{{report') + 2 })
  wait('attached to the template', function()
    return #vim.lsp.get_clients({ name = 'dramaturg', bufnr = 0 }) == 1
  end)
  vim.lsp.buf.rename('bug')
  wait('rename in the template', function()
    return vim.fn.search('{{bug}}', 'nw') > 0
  end)
  check('rename in the workflow', lines_of('find-and-plan.wf'):find('(plan-fix (bug report)', 1, true) ~= nil)
  vim.cmd('silent! wall')
  wait('the renamed files are clean', function()
    return #vim.diagnostic.get(0) == 0
  end, function()
    return vim.diagnostic.get(0)
  end)
  vim.lsp.buf.rename('report')
  wait('renamed back', function()
    return vim.fn.search('{{report}}', 'nw') > 0
  end)
  vim.cmd('silent! wall')

  -- Context matches in the quickfix list.
  vim.cmd('Dramaturg context check digit')
  wait('matches in the quickfix list', function()
    local items = vim.fn.getqflist()
    return #items > 0 and vim.fn.bufname(items[1].bufnr):find('isbn.py', 1, true) ~= nil
  end, vim.fn.getqflist)
  vim.cmd('cfirst')
  check('the quickfix list leads to the file', vim.fn.expand('%:t') == 'isbn.py', vim.fn.expand('%'))

  -- A run with recorded answers, seen to its end.
  vim.cmd('edit find-and-plan.wf')
  vim.cmd('Dramaturg run')
  wait('the run ends', function()
    return lines_of('dramaturg://run'):find('done', 1, true) ~= nil
  end, function()
    return lines_of('dramaturg://run')
  end)
  local shown = lines_of('dramaturg://run')
  check('its steps are seen', shown:find('✓ plan-fix', 1, true) ~= nil, shown)
  check('its value is seen', shown:find('Cause: ', 1, true) ~= nil, shown)

  -- The journal's runs.
  vim.ui.select = function(items, _, done)
    done(items[1])
  end
  vim.cmd('Dramaturg runs')
  wait('a run of the journal is shown', function()
    return lines_of('dramaturg://run'):find('page: ', 1, true) ~= nil
  end, function()
    return lines_of('dramaturg://run')
  end)

  -- A task that lacks an input asks for it; preview shows the request.
  vim.ui.input = function(_, done)
    done('it is broken')
  end
  vim.cmd('Dramaturg preview plan-fix report=lost')
  wait('the preview', function()
    return lines_of('dramaturg://preview'):find('lost', 1, true) ~= nil
  end, function()
    return lines_of('dramaturg://preview')
  end)
  vim.cmd('Dramaturg run plan-fix')
  wait('the missing input was asked for, and no recording fits it', function()
    return lines_of('dramaturg://run'):find('no recording answers', 1, true) ~= nil
  end, function()
    return lines_of('dramaturg://run')
  end)

  -- Cancelling, in a workspace that is trusted.
  vim.cmd('Dramaturg trust')
  vim.cmd('edit slow.wf')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '(system:run_script (command "sleep 30"))' })
  vim.wait(300)
  vim.cmd('Dramaturg run')
  vim.wait(700)
  vim.cmd('Dramaturg cancel')
  wait('the run is cancelled', function()
    return lines_of('dramaturg://run'):find('cancelled', 1, true) ~= nil
  end, function()
    return lines_of('dramaturg://run')
  end)

  -- Tests, lenses, completion of the command, help, health.
  vim.cmd('edit tests.wf')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '(deftest good (assert true))', '(deftest bad (assert (= 1 2)))' })
  vim.wait(300)
  vim.cmd('Dramaturg test')
  wait('the failing test is in the quickfix list', function()
    local items = vim.fn.getqflist()
    return #items == 1 and items[1].lnum == 2
  end, vim.fn.getqflist)
  check('completion of the command', vim.tbl_contains(vim.fn.getcompletion('Dramaturg ru', 'cmdline'), 'runs'))
  check('completion of tasks', vim.tbl_contains(vim.fn.getcompletion('Dramaturg run pl', 'cmdline'), 'plan-fix'))
  vim.cmd('checkhealth dramaturg')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  check('health', report:find('OK running', 1, true) ~= nil and report:find('ERROR', 1, true) == nil, report)
  vim.cmd('helptags ' .. vim.env.DRAMATURG_PLUGIN .. '/doc')
  check('help', pcall(vim.cmd, 'help :Dramaturg'))
  vim.fn.delete(vim.env.DRAMATURG_PLUGIN .. '/doc/tags')
  vim.cmd('qall!')
end

local ok, failure = xpcall(main, debug.traceback)
if not ok then
  say:write(failure .. '\n')
  vim.cmd('cquit 1')
end
