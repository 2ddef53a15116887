-- Which workspaces does the user trust to call models and run scripts? Kept in the user's state, never in a workspace.
local M = {}

local function file()
  return vim.fs.joinpath(vim.fn.stdpath('state'), 'dramaturg', 'trusted.json')
end

local function read()
  local ok, lines = pcall(vim.fn.readfile, file())
  local decoded, data = pcall(vim.json.decode, ok and table.concat(lines, '\n') or '{}')
  return decoded and type(data) == 'table' and data or {}
end

--- Whether the folder was trusted, by `:Dramaturg trust` or by `vim.g.dramaturg_trusted`.
function M.is_trusted(root)
  local listed = vim.g.dramaturg_trusted
  if listed == true then
    return true
  end
  if type(listed) == 'table' and vim.tbl_contains(listed, root) then
    return true
  end
  return read()[root] == true
end

--- Trusts or distrusts a folder from now on.
function M.set(root, trusted)
  local data = read()
  data[root] = trusted or nil
  vim.fn.mkdir(vim.fs.dirname(file()), 'p')
  local text = vim.tbl_isempty(data) and '{}' or vim.json.encode(data)
  vim.fn.writefile({ text }, file())
end

return M
