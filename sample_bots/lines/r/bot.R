# Each line has a path and a value, such as "view.seat 1"; message has all values of a message by their paths.

# The index of an action, from 0 to legal - 1. Your thinking goes here.
choose <- function(seed, message) {
  x <- seed %% 9973 + 7 * as.numeric(message[["number"]])
  (x * x) %% 9973 %% as.numeric(message[["legal"]])
}

seed <- 0
message <- new.env()
lines <- file("stdin", "r")
while (length(line <- readLines(lines, 1)) == 1) {
  path <- sub(" .*", "", line)
  if (path == "type") message <- new.env()
  if (path != "go") {
    message[[path]] <- sub("^[^ ]* ", "", line)
  } else {
    starts <- message[["type"]] == "start"
    if (starts) seed <- as.numeric(message[["seed"]])
    cat(if (starts) "ready" else choose(seed, message), "\n", sep = "")
    flush(stdout())
  }
}
