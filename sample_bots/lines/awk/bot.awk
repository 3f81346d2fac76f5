# Each line has a path and a value, such as "view.seat 1"; v has all values of a message by their paths.

$1 == "type" { delete v }
{ path = $1; sub(/^[^ ]* /, ""); v[path] = $0 }
path == "go" && v["type"] == "start" { seed = v["seed"]; print "ready"; fflush() }
path == "go" && v["type"] == "decide" { print choose(); fflush() }

# The index of an action, from 0 to v["legal"] - 1. Your thinking goes here.
function choose(    x) {
  x = seed % 9973 + 7 * v["number"]
  return x * x % 9973 % v["legal"]
}
