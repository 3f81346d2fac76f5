//! Plays Agent Avenue for the best lead of one turn. It is an example of how to read a view and the
//! legal actions.
//!
//! An action is worth the spaces of lead that it gains if the other side gives the answer that is
//! worst for us. The bot chooses the action that is worth most, and the first of equals. A card
//! that we do not see counts as an average card of the whole deck. To keep all numbers whole,
//! worths that depend on such a card are counted 38 times, because the deck has 38 cards.

use std::cmp::Reverse;

use prost::{DecodeError, Message};

use crate::messages::referee_bot::v1::agent_avenue::action::Body;
use crate::messages::referee_bot::v1::agent_avenue::{
    Action, Agent, Lay, Market, MarketCard, SideView, Slot, Take, View,
};
use crate::messages::referee_bot::v1::Decision;

const DECK: i32 = 38;
const HOME_EVERY: i32 = 7;
const NEVER: i32 = -1000;

/// How many of each agent there are in the deck.
const COPIES: [(Agent, i32); 8] = [
    (Agent::DoubleAgent, 6),
    (Agent::Enforcer, 6),
    (Agent::Codebreaker, 6),
    (Agent::Saboteur, 6),
    (Agent::Daredevil, 6),
    (Agent::Sentinel, 6),
    (Agent::Sidekick, 1),
    (Agent::Mole, 1),
];

/// The cards of the market, from the worst to the best.
const MARKET: [MarketCard; 16] = [
    MarketCard::SinisterTwin,
    MarketCard::Masterplan,
    MarketCard::Ceasefire,
    MarketCard::WatchtowerTwo,
    MarketCard::DoubleTrouble,
    MarketCard::MindControl,
    MarketCard::Outpost,
    MarketCard::SmokeScreen,
    MarketCard::SurveillanceTruck,
    MarketCard::Supercomputer,
    MarketCard::SecretRecruit,
    MarketCard::DistractionDevice,
    MarketCard::GetawayCar,
    MarketCard::SecuritySystem,
    MarketCard::Spycation,
    MarketCard::LeaderOfThePack,
];

/// How far the first, the second and every later agent of a name moves a pawn.
fn steps(agent: Agent) -> [i32; 3] {
    match agent {
        Agent::DoubleAgent => [-1, 6, -1],
        Agent::Enforcer => [1, 2, 3],
        Agent::Saboteur => [-1, -1, -2],
        Agent::Daredevil => [2, 3, 0],
        Agent::Sentinel => [0, 2, 6],
        Agent::Sidekick => [4; 3],
        Agent::Mole => [-3; 3],
        Agent::Codebreaker | Agent::Unspecified => [0; 3],
    }
}

/// The card of the market that changes these steps for the side that has it, and the new steps.
fn changed_steps(agent: Agent) -> Option<(MarketCard, [i32; 3])> {
    match agent {
        Agent::DoubleAgent => Some((MarketCard::SinisterTwin, [-2, 12, -2])),
        Agent::Enforcer => Some((MarketCard::WatchtowerTwo, [3, 4, 5])),
        Agent::Codebreaker => Some((MarketCard::Supercomputer, [3; 3])),
        Agent::Saboteur => Some((MarketCard::DistractionDevice, [1, 1, 2])),
        _ => None,
    }
}

/// The index of the action that is worth most.
pub fn choose(decision: &Decision) -> Result<usize, DecodeError> {
    let view = View::decode(&decision.view[..])?;
    let position = Position::new(&view);
    let mut worths = Vec::new();
    for action in &decision.legal {
        worths.push(position.worth(&Action::decode(&action[..])?));
    }
    let best = (0..worths.len()).max_by_key(|&index| (worths[index], Reverse(index)));
    Ok(best.expect("some action is always legal"))
}

struct Position<'a> {
    view: &'a View,
    our_side: &'a SideView,
    their_side: &'a SideView,
}

impl<'a> Position<'a> {
    fn new(view: &'a View) -> Self {
        let our_number = view.seat as usize % 2;
        Position {
            view,
            our_side: &view.sides[our_number],
            their_side: &view.sides[1 - our_number],
        }
    }

    fn worth(&self, action: &Action) -> i32 {
        match &action.body {
            Some(Body::Play(play)) => self.of_two(play.face_up(), play.face_down()),
            Some(Body::Lay(lay)) => self.of_laying(lay),
            Some(Body::Recruit(recruit)) => self.of_recruiting(recruit.slot()),
            Some(Body::Take(take)) => self.of_taking(take),
            Some(Body::Choose(choose)) => self.of_choosing(choose.agent()),
            Some(Body::RecruitAgain(recruit)) if recruit.again => {
                self.ours(self.market().returned())
            }
            Some(Body::RecruitAgain(_)) => 0,
            _ => NEVER,
        }
    }

    /// The other side takes the card that leaves us the smaller gain of lead.
    fn of_two(&self, up: Agent, down: Agent) -> i32 {
        (self.ours(up) - self.theirs(down)).min(self.ours(down) - self.theirs(up))
    }

    /// The second card of a team is laid face down beside a known card. When the first is laid, the
    /// partner's card is not known yet.
    fn of_laying(&self, lay: &Lay) -> i32 {
        if lay.slot() == Slot::FaceDown {
            self.of_two(self.view.face_up(), lay.agent())
        } else {
            self.of_getting(lay.agent())
                .min(self.of_leaving(lay.agent()))
        }
    }

    fn of_recruiting(&self, slot: Slot) -> i32 {
        if slot == Slot::FaceUp {
            self.of_getting(self.view.face_up())
        } else {
            self.of_leaving(self.view.face_up())
        }
    }

    /// The lead, times 38, if we get this card and they get one that we do not see.
    fn of_getting(&self, agent: Agent) -> i32 {
        DECK * self.ours(agent) - average(self.their_side)
    }

    /// The lead, times 38, if they get this card and we get one that we do not see.
    fn of_leaving(&self, agent: Agent) -> i32 {
        average(self.our_side) - DECK * self.theirs(agent)
    }

    /// The place of the card in the order. If either teammate may take it, we take it.
    fn of_taking(&self, take: &Take) -> i32 {
        let place = MARKET.iter().position(|&card| card == take.card());
        let ourselves = take.taker == Some(self.view.seat);
        2 * place.map_or(-1, |place| place as i32) + i32::from(ourselves)
    }

    fn of_choosing(&self, agent: Agent) -> i32 {
        match self.market().resolving() {
            MarketCard::MindControl => self.theirs(agent),
            // The agent leaves our side first.
            MarketCard::Spycation => step(self.our_side, agent, count(self.our_side, agent) - 1),
            _ => self.ours(agent),
        }
    }

    fn market(&self) -> &Market {
        self.view
            .market
            .as_ref()
            .expect("there is a market where its cards are played")
    }

    fn ours(&self, agent: Agent) -> i32 {
        next_step(self.our_side, agent)
    }

    fn theirs(&self, agent: Agent) -> i32 {
        next_step(self.their_side, agent)
    }
}

/// How far an average card of the deck moves a side, times 38.
fn average(side: &SideView) -> i32 {
    COPIES
        .iter()
        .map(|&(agent, copies)| copies * next_step(side, agent))
        .sum()
}

/// How far the next agent of a name moves a side.
fn next_step(side: &SideView, agent: Agent) -> i32 {
    step(side, agent, count(side, agent))
}

fn count(side: &SideView, agent: Agent) -> usize {
    side.recruited()
        .filter(|&recruited| recruited == agent)
        .count()
}

/// How far an agent moves a side that has so many agents of that name.
fn step(side: &SideView, agent: Agent, before: usize) -> i32 {
    let has = |wanted| side.ongoing().any(|card| card == wanted);
    let steps = match changed_steps(agent) {
        Some((card, changed)) if has(card) => changed,
        _ => steps(agent),
    };
    let spaces = steps[before.min(2)];
    // A Getaway Car moves the pawn 3 spaces farther if it has just moved to a home.
    let is_home = (side.progress + spaces) % HOME_EVERY == 0;
    if spaces != 0 && is_home && has(MarketCard::GetawayCar) {
        spaces + 3
    } else {
        spaces
    }
}
