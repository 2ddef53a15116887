-- What results look like: quickfix lists, and splits of text.
local M = {}

--- Shows lines in a split that is re-used by its name; returns its buffer.
function M.show(name, lines, filetype)
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?') .. '$')
  if buffer < 0 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
    vim.bo[buffer].bufhidden = 'hide'
    vim.bo[buffer].swapfile = false
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype or ''
  if vim.fn.bufwinid(buffer) < 0 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd('botright ' .. math.max(8, math.floor(vim.o.lines / 3)) .. 'split')
    vim.api.nvim_win_set_buf(0, buffer)
    vim.wo.number, vim.wo.wrap, vim.wo.linebreak = false, true, true
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'Close' })
    vim.api.nvim_set_current_win(window)
  end
  return buffer
end

--- The matches in the quickfix list, best first, their relevance in the text.
function M.matches(result, title)
  if result.error then
    return require('dramaturg').say(result.error, 'ERROR')
  end
  local items = {}
  for _, match in ipairs(result.matches) do
    local excerpt = ''
    for _, line in ipairs(vim.split(match.excerpt or '', '\n')) do
      excerpt = vim.trim((line:gsub('^%s*%d+:%s*', '')))
      if excerpt ~= '' then
        break
      end
    end
    items[#items + 1] = {
      filename = match.path,
      lnum = match.range.start.line + 1,
      col = 1,
      text = ('%.2f  %s'):format(match.relevance, excerpt),
    }
  end
  vim.fn.setqflist({}, ' ', { title = 'Context: ' .. title:sub(1, 60), items = items })
  if #items == 0 then
    return require('dramaturg').say('no file matches')
  end
  vim.cmd('botright copen')
  vim.cmd('wincmd p')
end

--- The exact request of a task.
function M.preview(result)
  if not result.request then
    return require('dramaturg').say(result.content or 'nothing to preview', 'ERROR')
  end
  local lines = { ('%s, about %d tokens'):format(result.request.model, result.tokens), '' }
  local function section(title, text)
    lines[#lines + 1] = '── ' .. title .. ' ──'
    vim.list_extend(lines, vim.split(text, '\n'))
    lines[#lines + 1] = ''
  end
  if type(result.request.system) == 'string' and result.request.system ~= '' then
    section('system', result.request.system)
  end
  for _, message in ipairs(result.request.messages) do
    section(message.role, type(message.content) == 'string' and message.content or vim.inspect(message.content))
  end
  M.show('dramaturg://preview', lines, 'markdown')
end

--- How tests ended; failures in the quickfix list.
function M.tests(result)
  local items = {}
  for _, test in ipairs(result.tests) do
    if test.status ~= 'passed' then
      items[#items + 1] = {
        filename = vim.uri_to_fname(test.uri),
        lnum = test.line + 1,
        text = test.name .. ': ' .. test.message,
        type = 'E',
      }
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'Tests', items = items })
  local say = require('dramaturg').say
  say(('%d passed, %d failed'):format(result.passed, result.failed), result.failed > 0 and 'ERROR' or 'INFO')
  if #items > 0 then
    vim.cmd('botright copen')
    vim.cmd('wincmd p')
  end
end

return M
