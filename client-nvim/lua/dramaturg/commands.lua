-- `:Dramaturg WORD …`: each word is a function here, and completion is made from the same table.
local dramaturg = require('dramaturg')
local runs = require('dramaturg.runs')
local view = require('dramaturg.view')

local M = {}

--- The tasks of the workspace, for completion and for the question which one to run.
local function tasks(done)
  dramaturg.execute('dramaturg.listTasks', nil, done)
end

local function choose_task(name, done)
  tasks(function(found)
    if name and name ~= '' then
      for _, task in ipairs(found) do
        if task.name == name then
          return done(task)
        end
      end
      return done({ name = name, inputs = {} })
    end
    if #found == 0 then
      return dramaturg.say('there are no task templates in this workspace')
    end
    vim.ui.select(found, {
      prompt = 'Task',
      format_item = function(task)
        return task.name .. '  ' .. task.description
      end,
    }, function(task)
      if task then
        done(task)
      end
    end)
  end)
end

--- Splits `name=value` words into inputs; values that read as JSON are that.
local function inputs_of(words)
  local inputs = vim.empty_dict()
  for _, word in ipairs(words) do
    local name, value = word:match('^([%w_-]+)=(.*)$')
    if name then
      local ok, decoded = pcall(vim.json.decode, value)
      inputs[name] = ok and decoded or value
    end
  end
  return inputs
end

local function ask_missing(task, inputs, done)
  for _, input in ipairs(task.inputs or {}) do
    if input.required and inputs[input.name] == nil then
      local function answered(value)
        if value == nil then
          return
        end
        local ok, decoded = pcall(vim.json.decode, value)
        local is_text = input.type == 'string'
        inputs[input.name] = (ok and not is_text) and decoded or value
        ask_missing(task, inputs, done)
      end
      local prompt = ('%s: %s (%s): '):format(task.name, input.name, input.type)
      if input.type == 'boolean' then
        return vim.ui.select({ 'true', 'false' }, { prompt = prompt }, answered)
      end
      return vim.ui.input({ prompt = prompt }, answered)
    end
  end
  done(inputs)
end

local words = {}

--- `run [TASK [name=value …]]`: the workflow of the buffer, the selected forms, or a task.
function words.run(arguments)
  local name = arguments.words[1]
  if not name and vim.bo.filetype == 'dramaturg-workflow' then
    local argument = { uri = vim.uri_from_bufnr(0) }
    if arguments.range > 0 then
      local last = vim.fn.getline(arguments.line2)
      argument.range = {
        start = { line = arguments.line1 - 1, character = 0 },
        ['end'] = { line = arguments.line2 - 1, character = #last },
      }
    end
    return runs.start('dramaturg.runWorkflow', argument, vim.fn.expand('%:t'))
  end
  choose_task(name, function(task)
    ask_missing(task, inputs_of(vim.list_slice(arguments.words, 2)), function(inputs)
      runs.start('dramaturg.runTask', { name = task.name, inputs = inputs }, task.name)
    end)
  end)
end

--- `preview [TASK [name=value …]]`: the exact request of a task, or of the call under the cursor.
function words.preview(arguments)
  local argument = { inputs = inputs_of(vim.list_slice(arguments.words, 2)) }
  if arguments.words[1] then
    argument.name = arguments.words[1]
  else
    local client = dramaturg.client(0)
    if not client then
      return
    end
    local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
    argument.uri, argument.position = place.textDocument.uri, place.position
  end
  dramaturg.execute('dramaturg.previewTask', argument, function(result)
    view.preview(result)
  end)
end

--- `context [QUERY]`: the files that matter, into the quickfix list; without a query, for the form under the cursor.
function words.context(arguments)
  local argument = {}
  if #arguments.words > 0 then
    argument.query = table.concat(arguments.words, ' ')
  else
    local client = dramaturg.client(0)
    if not client then
      return
    end
    local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
    argument.uri, argument.position = place.textDocument.uri, place.position
  end
  dramaturg.execute('dramaturg.contextMatches', argument, function(result)
    view.matches(result, argument.query or 'the form under the cursor')
  end)
end

--- `runs`: the runs of the workspace's journal, the newest first.
function words.runs()
  runs.list()
end

--- `cancel`: everything that is running.
function words.cancel()
  dramaturg.execute('dramaturg.cancelRun', nil, function(was_running)
    dramaturg.say(was_running and 'cancelling' or 'nothing is running')
  end)
end

--- `test`: the tests of the buffer; failures into the quickfix list.
function words.test()
  local argument = vim.bo.filetype == 'dramaturg-workflow' and { uri = vim.uri_from_bufnr(0) } or nil
  dramaturg.execute('dramaturg.runTests', argument, view.tests)
end

--- `index`: indexes the workspace.
function words.index()
  dramaturg.execute('dramaturg.indexWorkspace', nil, function(result)
    if result.error then
      return dramaturg.say(result.error, 'ERROR')
    end
    local text = '%d files indexed in %.1f s, %d read, %d known already'
    dramaturg.say(text:format(result.files, result.seconds, result.indexed, result.reused))
  end)
end

--- `status`: the server's versions, memory and times.
function words.status()
  dramaturg.execute('dramaturg.serverStatus', nil, function(result)
    view.show('dramaturg://status', vim.split(vim.inspect(result), '\n'), 'lua')
  end)
end

--- `explain NAME`: what the reference says of a form, primitive, element or finding.
function words.explain(arguments)
  local name = arguments.words[1] or vim.fn.expand('<cword>')
  dramaturg.execute('dramaturg.explain', { name = name }, function(result)
    if result.error then
      return dramaturg.say(result.error, 'WARN')
    end
    view.show('dramaturg://reference/' .. name, vim.split(result.markdown, '\n'), 'markdown')
  end)
end

local function set_trust(trusted)
  local client = dramaturg.client(0)
  local root = client and client.root_dir or vim.fn.getcwd()
  require('dramaturg.trust').set(root, trusted)
  if client then
    client:notify('workspace/didChangeConfiguration', { settings = { dramaturg = { trusted = trusted } } })
  end
  dramaturg.say((trusted and 'trusted: ' or 'no longer trusted: ') .. root)
end

--- `trust`, `distrust`: whether this workspace may call models and run scripts.
function words.trust()
  set_trust(true)
end

function words.distrust()
  set_trust(false)
end

--- `parser`: builds the tree-sitter parser of workflows.
function words.parser()
  require('dramaturg.parser').build()
end

function M.run(arguments)
  local given = vim.deepcopy(arguments.fargs)
  local word = table.remove(given, 1) or 'status'
  local action = words[word]
  if not action then
    local known = table.concat(vim.fn.sort(vim.tbl_keys(words)), ', ')
    return dramaturg.say(('`%s` is no command: expected one of %s'):format(word, known), 'ERROR')
  end
  action({ words = given, range = arguments.range, line1 = arguments.line1, line2 = arguments.line2 })
end

function M.complete(lead, line)
  local before = vim.split(line, '%s+')
  local known
  if #before <= 2 then
    known = vim.tbl_keys(words)
  elseif #before == 3 and (before[2] == 'run' or before[2] == 'preview') then
    local client = vim.lsp.get_clients({ name = 'dramaturg' })[1]
    local answer = client
      and client:request_sync('workspace/executeCommand', { command = 'dramaturg.listTasks', arguments = {} }, 2000, 0)
    known = vim.tbl_map(function(task)
      return task.name
    end, answer and answer.result or {})
  end
  return vim.fn.sort(vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, known or {}))
end

-- Code lenses name the server's commands: these run them with what the editor shows of it.
vim.lsp.commands['dramaturg.runTask'] = function(command)
  words.run({ words = { command.arguments[1].name }, range = 0 })
end
vim.lsp.commands['dramaturg.previewTask'] = function(command)
  words.preview({ words = { command.arguments[1].name } })
end
vim.lsp.commands['dramaturg.contextMatches'] = function(command)
  dramaturg.execute('dramaturg.contextMatches', command.arguments[1], function(result)
    view.matches(result, command.arguments[1].task)
  end)
end
vim.lsp.commands['dramaturg.runWorkflow'] = function(command)
  local argument = command.arguments[1]
  runs.start('dramaturg.runWorkflow', argument, vim.fs.basename(vim.uri_to_fname(argument.uri)))
end
vim.lsp.commands['dramaturg.runTests'] = function(command)
  dramaturg.execute('dramaturg.runTests', command.arguments[1], view.tests)
end

return M
