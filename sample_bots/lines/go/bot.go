package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Message has the fields that this bot needs; a game's view and actions can be added as structs.
type Message struct {
	Type   string
	Seed   int
	Number int
	View   map[string]any
	Legal  []map[string]any
}

// choose returns the index of an action in Legal. Your thinking goes here.
func choose(seed int, message Message) int {
	x := seed%9973 + 7*message.Number
	return x * x % 9973 % len(message.Legal)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 2<<20)
	for seed := 0; lines.Scan(); {
		var message Message
		if json.Unmarshal(lines.Bytes(), &message) != nil {
			os.Exit(1)
		} else if message.Type == "start" {
			seed = message.Seed
			fmt.Println("ready")
		} else if message.Type == "decide" {
			fmt.Println(choose(seed, message))
		}
	}
}
