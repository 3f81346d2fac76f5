package main

import (
	"encoding/json"

	pb "referee_bot/v1/bot"
)

// byCard plays the game that `referee new-game` writes. It is an example of a game without a proto: its messages are
// JSON. It stays with a card of the upper half, and is out with another. `referee games NAME --schema` says which fields
// the messages of a game have.
//
// It returns the index of the action that fits our card, and 0 if the game knows neither cards nor such actions.
func byCard(decision *pb.Decision) uint32 {
	var view struct{ Card, Cards int }
	json.Unmarshal(decision.View, &view)
	wanted := "Out"
	if 2*view.Card > view.Cards {
		wanted = "Stay"
	}
	for index, legal := range decision.Legal {
		var action struct{ Type string }
		if json.Unmarshal(legal, &action) == nil && action.Type == wanted {
			return uint32(index)
		}
	}
	return 0
}
