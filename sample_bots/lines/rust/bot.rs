use std::collections::HashMap;
use std::io::{stdin, stdout, BufRead, Write};

/// Each line has a path and a value, such as "view.seat 1"; a message is all its values by their paths.
type Message = HashMap<String, String>;

fn number(message: &Message, path: &str) -> u64 {
    message[path].parse().unwrap()
}

/// The index of an action, from 0 to legal - 1. Your thinking goes here.
fn choose(seed: u64, message: &Message) -> u64 {
    let x = seed % 9973 + 7 * number(message, "number");
    x * x % 9973 % number(message, "legal")
}

fn main() {
    let (mut message, mut seed) = (Message::new(), 0);
    for line in stdin().lock().lines().map(Result::unwrap) {
        let (path, value) = line.split_once(' ').unwrap_or((&line, ""));
        if path == "type" {
            message.clear();
        }
        if path != "go" {
            message.insert(path.into(), value.into());
            continue;
        }
        let starts = message["type"] == "start";
        if starts {
            seed = number(&message, "seed");
        }
        let answer = if starts { "ready".into() } else { choose(seed, &message).to_string() };
        println!("{answer}");
        stdout().flush().unwrap();
    }
}
