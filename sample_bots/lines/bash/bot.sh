# Each line has a path and a value, such as "view.seat 1"; v has all values of a message by their paths.
declare -A v

# The index of an action, from 0 to v[legal] - 1. Your thinking goes here.
choose() {
  local x=$((seed % 9973 + 7 * v[number]))
  echo $((x * x % 9973 % v[legal]))
}

while read -r path value; do
  case $path in
    type) v=([type]=$value) ;;
    go) if [[ ${v[type]} == start ]]; then seed=${v[seed]}; echo ready; else choose; fi ;;
    *) v[$path]=$value ;;
  esac
done
