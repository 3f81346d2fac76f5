#include <iostream>
#include <map>
#include <string>

// Each line has a path and a value, such as "view.seat 1"; a message is all its values by their paths.
using Message = std::map<std::string, std::string>;

// The index of an action, from 0 to legal - 1. Your thinking goes here.
long choose(long seed, const Message& message) {
    const long x = seed % 9973 + 7 * std::stol(message.at("number"));
    return x * x % 9973 % std::stol(message.at("legal"));
}

int main() {
    Message message;
    long seed = 0;
    for (std::string line; std::getline(std::cin, line);) {
        const auto blank = line.find(' ');
        const auto path = line.substr(0, blank);
        if (path == "type") message.clear();
        if (path != "go") {
            message[path] = blank == std::string::npos ? "" : line.substr(blank + 1);
        } else if (message["type"] == "start") {
            seed = std::stol(message["seed"]);
            std::cout << "ready" << std::endl;
        } else {
            std::cout << choose(seed, message) << std::endl;
        }
    }
}
