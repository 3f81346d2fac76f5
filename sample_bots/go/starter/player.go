package main

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"

	pb "referee_bot/v1/bot"
)

// Player plays one match. The loop makes a new one for every MatchStart, so nothing is carried over to the next.
type Player struct {
	seed   []byte
	greedy bool
	json   bool
}

// NewPlayer returns a player for the match that begins.
func NewPlayer(start *pb.MatchStart, rule string) *Player {
	return &Player{
		seed:   start.Seed,
		greedy: rule == "greedy" && start.Game == "agent-avenue",
		json:   rule == "greedy" && bytes.HasPrefix(start.Options, []byte("{")), // the game has no proto
	}
}

// Choose returns the index of the chosen action in decision.Legal.
func (p *Player) Choose(decision *pb.Decision) uint32 {
	// ---- Your thinking goes here. ----
	// decision.View, decision.Legal and decision.Events are serialized messages of the game's own proto file,
	// or JSON if the game has none. greedy.go and json_game.go show how to read them.
	if p.greedy {
		return greedy(decision)
	}
	if p.json {
		return byCard(decision)
	}
	return hash(p.seed, decision.Number) % uint32(len(decision.Legal))
}

// hash is the 32-bit FNV-1a hash of the seed and the decision's number (4 bytes, little-endian). It serves as a random
// number that anybody can recompute.
func hash(seed []byte, number uint32) uint32 {
	sum := fnv.New32a()
	sum.Write(seed)
	binary.Write(sum, binary.LittleEndian, number)
	return sum.Sum32()
}
