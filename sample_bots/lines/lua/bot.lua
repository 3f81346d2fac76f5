-- Each line has a path and a value, such as "view.seat 1"; message has all values of a message by their paths.

local message, seed = {}, 0

-- The index of an action, from 0 to message.legal - 1. Your thinking goes here.
local function choose()
  local x = seed % 9973 + 7 * message.number
  return x * x % 9973 % message.legal
end

for line in io.lines() do
  local path, value = line:match("^(%S+) ?(.*)$")
  if path == "type" then message = {} end
  if path == "go" then
    if message.type == "start" then seed = message.seed end
    print(message.type == "start" and "ready" or choose())
    io.flush()
  else
    message[path] = math.tointeger(value) or value
  end
end
