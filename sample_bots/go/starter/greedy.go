package main

import (
	"google.golang.org/protobuf/proto"

	aa "referee_bot/v1/agent_avenue"
	pb "referee_bot/v1/bot"
)

// This file plays Agent Avenue for the lead that it can gain this turn. It looks no further ahead, and uses whole
// numbers only. An unknown card counts as an average card of the whole deck of 38. average() is 38 times as far as such
// a card moves a side. Numbers that are compared with it are multiplied by 38, too. The rule does not look at winning
// or losing by the agents before a side.

const deck = 38

// copies says how many there are of each agent.
var copies = [...]int{
	aa.Agent_AGENT_DOUBLE_AGENT: 6,
	aa.Agent_AGENT_ENFORCER:     6,
	aa.Agent_AGENT_CODEBREAKER:  6,
	aa.Agent_AGENT_SABOTEUR:     6,
	aa.Agent_AGENT_DAREDEVIL:    6,
	aa.Agent_AGENT_SENTINEL:     6,
	aa.Agent_AGENT_SIDEKICK:     1,
	aa.Agent_AGENT_MOLE:         1,
}

// distances says how far the first, the second and every later copy of an agent moves. The third Codebreaker wins and
// the third Daredevil loses.
var distances = [len(copies)][3]int{
	aa.Agent_AGENT_DOUBLE_AGENT: {-1, 6, -1},
	aa.Agent_AGENT_ENFORCER:     {1, 2, 3},
	aa.Agent_AGENT_CODEBREAKER:  {0, 0, 0},
	aa.Agent_AGENT_SABOTEUR:     {-1, -1, -2},
	aa.Agent_AGENT_DAREDEVIL:    {2, 3, 0},
	aa.Agent_AGENT_SENTINEL:     {0, 2, 6},
	aa.Agent_AGENT_SIDEKICK:     {4, 4, 4},
	aa.Agent_AGENT_MOLE:         {-3, -3, -3},
}

// changed says, by agent, which ongoing card changes its distances, and to what.
var changed = map[aa.Agent]struct {
	by        aa.MarketCard
	distances [3]int
}{
	aa.Agent_AGENT_DOUBLE_AGENT: {aa.MarketCard_MARKET_CARD_SINISTER_TWIN, [3]int{-2, 12, -2}},
	aa.Agent_AGENT_ENFORCER:     {aa.MarketCard_MARKET_CARD_WATCHTOWER_TWO, [3]int{3, 4, 5}},
	aa.Agent_AGENT_CODEBREAKER:  {aa.MarketCard_MARKET_CARD_SUPERCOMPUTER, [3]int{3, 3, 3}},
	aa.Agent_AGENT_SABOTEUR:     {aa.MarketCard_MARKET_CARD_DISTRACTION_DEVICE, [3]int{1, 1, 2}},
}

// places ranks the cards of the market, from the worst to the best.
var places = map[aa.MarketCard]int{
	aa.MarketCard_MARKET_CARD_SINISTER_TWIN:      0,
	aa.MarketCard_MARKET_CARD_MASTERPLAN:         1,
	aa.MarketCard_MARKET_CARD_CEASEFIRE:          2,
	aa.MarketCard_MARKET_CARD_WATCHTOWER_TWO:     3,
	aa.MarketCard_MARKET_CARD_DOUBLE_TROUBLE:     4,
	aa.MarketCard_MARKET_CARD_MIND_CONTROL:       5,
	aa.MarketCard_MARKET_CARD_OUTPOST:            6,
	aa.MarketCard_MARKET_CARD_SMOKE_SCREEN:       7,
	aa.MarketCard_MARKET_CARD_SURVEILLANCE_TRUCK: 8,
	aa.MarketCard_MARKET_CARD_SUPERCOMPUTER:      9,
	aa.MarketCard_MARKET_CARD_SECRET_RECRUIT:     10,
	aa.MarketCard_MARKET_CARD_DISTRACTION_DEVICE: 11,
	aa.MarketCard_MARKET_CARD_GETAWAY_CAR:        12,
	aa.MarketCard_MARKET_CARD_SECURITY_SYSTEM:    13,
	aa.MarketCard_MARKET_CARD_SPYCATION:          14,
	aa.MarketCard_MARKET_CARD_LEADER_OF_THE_PACK: 15,
}

// steps says, by agent, how far the next of that name moves a side.
type steps [len(copies)]int

// greedy returns the index of the action that is worth most. Among equals, the first.
func greedy(decision *pb.Decision) uint32 {
	view := &aa.View{}
	parse(decision.View, view)
	best, most := 0, 0
	for i, bytes := range decision.Legal {
		action := &aa.Action{}
		parse(bytes, action)
		if value := worth(view, action); i == 0 || value > most {
			best, most = i, value
		}
	}
	return uint32(best)
}

// worth says what one action is worth by the rule.
func worth(view *aa.View, action *aa.Action) int {
	us := view.Seat % 2
	own, other := stepsOf(view.Sides[us]), stepsOf(view.Sides[1-us])
	switch body := action.Body.(type) {
	case *aa.Action_Play:
		return worthOfTwo(own, other, body.Play.FaceUp, body.Play.FaceDown)
	case *aa.Action_Lay:
		if body.Lay.Slot == aa.Slot_SLOT_FACE_DOWN {
			return worthOfTwo(own, other, view.FaceUp, body.Lay.Agent)
		}
		return min(takingUp(own, other, body.Lay.Agent), leavingUp(own, other, body.Lay.Agent))
	case *aa.Action_Recruit:
		if body.Recruit.Slot == aa.Slot_SLOT_FACE_UP {
			return takingUp(own, other, view.FaceUp)
		}
		return leavingUp(own, other, view.FaceUp)
	case *aa.Action_Take:
		place := 2 * places[body.Take.Card]
		if body.Take.Taker != nil && *body.Take.Taker == view.Seat {
			place++
		}
		return place
	case *aa.Action_Choose:
		return worthOfChoice(view, own, other, body.Choose.Agent)
	case *aa.Action_RecruitAgain:
		if body.RecruitAgain.Again {
			return own[view.Market.Returned]
		}
		return 0
	}
	return -1000 // never discard, never hand over
}

// worthOfTwo is the smaller of the two gains of lead. The opponent will leave us that one.
func worthOfTwo(own, other steps, up, down aa.Agent) int {
	return min(own[up]-other[down], own[down]-other[up])
}

// takingUp is the gain of lead, times 38, if we get the face-up card and the other side gets an unknown one.
func takingUp(own, other steps, up aa.Agent) int {
	return deck*own[up] - average(other)
}

// leavingUp is the same the other way round: they get the face-up card.
func leavingUp(own, other steps, up aa.Agent) int {
	return average(own) - deck*other[up]
}

// worthOfChoice says what an agent is worth if the instant that we took acts on it.
func worthOfChoice(view *aa.View, own, other steps, agent aa.Agent) int {
	switch view.Market.Resolving {
	case aa.MarketCard_MARKET_CARD_MIND_CONTROL:
		return other[agent]
	case aa.MarketCard_MARKET_CARD_SPYCATION:
		side := view.Sides[view.Seat%2]
		return step(side, agent, count(side.Recruited, agent)-1)
	}
	return own[agent]
}

// average is how far an average card of the deck moves a side, times 38.
func average(of steps) int {
	sum := 0
	for agent, spaces := range of {
		sum += copies[agent] * spaces
	}
	return sum
}

func stepsOf(side *aa.SideView) steps {
	var found steps
	for i := range found {
		agent := aa.Agent(i)
		found[i] = step(side, agent, count(side.Recruited, agent))
	}
	return found
}

// step is how far an agent moves a side that has `before` agents of that name.
func step(side *aa.SideView, agent aa.Agent, before int) int {
	three := distances[agent]
	if change, ok := changed[agent]; ok && count(side.Ongoing, change.by) > 0 {
		three = change.distances
	}
	spaces := three[min(before, 2)]
	ontoHome := spaces != 0 && (int(side.Progress)+spaces)%7 == 0
	if ontoHome && count(side.Ongoing, aa.MarketCard_MARKET_CARD_GETAWAY_CAR) > 0 {
		return spaces + 3
	}
	return spaces
}

func count[T comparable](items []T, wanted T) int {
	found := 0
	for _, item := range items {
		if item == wanted {
			found++
		}
	}
	return found
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// parse panics if the bytes are no such message. The referee never sends such bytes.
func parse(bytes []byte, message proto.Message) {
	if err := proto.Unmarshal(bytes, message); err != nil {
		panic(err)
	}
}
