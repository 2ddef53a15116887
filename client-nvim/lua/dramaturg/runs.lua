-- What runs, and what ran in this session: each run's steps are seen live in a split.
local dramaturg = require('dramaturg')
local view = require('dramaturg.view')

local M = { known = {}, by_id = {} }

local function shown(run)
  local lines = { run.title .. '  ' .. run.state, '' }
  for _, step in ipairs(run.steps) do
    lines[#lines + 1] = '  ' .. step
  end
  if run.text ~= '' then
    lines[#lines + 1] = ''
    vim.list_extend(lines, vim.split(run.text, '\n'))
  end
  return lines
end

local function refresh(run)
  if run.scheduled then
    return
  end
  run.scheduled = true
  -- Tokens come faster than anybody reads: the split is drawn at most some twenty times a second.
  vim.defer_fn(function()
    run.scheduled = false
    view.show('dramaturg://run', shown(run), '')
  end, 50)
end

--- Starts a command that runs something, and shows it from its first event on.
function M.start(command, argument, title)
  local run = { title = title, state = 'running …', steps = {}, text = '', streamed = {} }
  table.insert(M.known, 1, run)
  M.starting = run
  refresh(run)
  dramaturg.execute(command, argument, function(result)
    run.result = result
    local failed = result.status ~= 'COMPLETE'
    run.state = result.status == 'COMPLETE' and 'done' or 'failed'
    if result.content == 'cancelled' then
      run.state = 'cancelled'
    end
    run.text = type(result.content) == 'string' and result.content or ''
    local place = failed and result.notes and result.notes.location
    if type(place) == 'table' and place.path then
      run.text = ('%s:%d:%d: %s'):format(place.path, place.line, place.column, run.text)
    end
    refresh(run)
  end)
end

local words = {
  TaskStarted = function(run, event)
    run.steps[#run.steps + 1] = '▸ ' .. event.task
  end,
  TaskFinished = function(run, event)
    local sign = event.status == 'COMPLETE' and '✓' or '✗'
    run.steps[#run.steps + 1] = ('%s %s  %.1f s'):format(sign, event.task, event.seconds)
  end,
  TokenDelta = function(run, event)
    run.text = run.text .. event.text
  end,
  PromptBuilt = function(run)
    run.text = ''
  end,
  ToolCalled = function(run, event)
    run.steps[#run.steps + 1] = (event.failed and '✗ ' or '✓ ') .. event.tool
  end,
  ContextMatched = function(run, event)
    run.steps[#run.steps + 1] = ('✓ %d matches'):format(event.matches)
  end,
  FormEntered = function(run, event)
    if type(event.iteration) == 'number' then
      run.steps[#run.steps + 1] = ('%s, iteration %d'):format(event.form, event.iteration)
    end
  end,
  Warned = function(run, event)
    run.steps[#run.steps + 1] = '! ' .. event.message
  end,
  Logged = function(run, event)
    run.steps[#run.steps + 1] = event.message
  end,
}

--- Takes an event of a run.
function M.on_event(event)
  local run = M.by_id[event.run]
  if not run and M.starting then
    run = M.starting
    M.by_id[event.run], M.starting = run, nil
  end
  local word = run and words[event.event]
  if word then
    word(run, event)
    refresh(run)
  end
end

local function tree(lines, steps, indent)
  for _, step in ipairs(steps) do
    local sign = step.status == 'FAILED' and '✗ ' or '  '
    lines[#lines + 1] = ('%s%s%s  %.2f s'):format(indent, sign, step.name, step.seconds)
    tree(lines, step.children, indent .. '  ')
  end
end

--- The runs that the workspace's journal holds, to choose one to look at.
function M.list()
  dramaturg.execute('dramaturg.listRuns', nil, function(found)
    if #found == 0 then
      return dramaturg.say('no runs are logged in this workspace yet')
    end
    vim.ui.select(found, {
      prompt = 'Run',
      format_item = function(run)
        return ('%s  %s  %s'):format(os.date('%m-%d %H:%M:%S', math.floor(run.started)), run.status, run.name)
      end,
    }, function(run)
      if not run then
        return
      end
      dramaturg.execute('dramaturg.showRun', { run = run.id }, function(result)
        local lines = { run.name .. '  ' .. run.status, '' }
        tree(lines, result.steps, '')
        lines[#lines + 1] = ''
        vim.list_extend(lines, vim.split(result.result.content or '', '\n'))
        vim.list_extend(lines, { '', 'page: ' .. vim.uri_to_fname(result.page) })
        view.show('dramaturg://run', lines, '')
      end)
    end)
  end)
end

return M
