//! Chooses.

use prost::DecodeError;

use crate::greedy;
use crate::json_game;
use crate::messages::referee_bot::v1::{Decision, MatchStart};

/// One match. Keep nothing anywhere else.
pub struct Player {
    start: MatchStart,
    greedy: bool,
    json: bool,
}

impl Player {
    pub fn new(start: MatchStart, greedy: bool) -> Self {
        // The options of a game without a proto are JSON.
        let json = greedy && start.options.starts_with(b"{");
        let greedy = greedy && start.game == "agent-avenue";
        Player {
            start,
            greedy,
            json,
        }
    }

    /// The index of the chosen action in `decision.legal`.
    pub fn choose(&mut self, decision: &Decision) -> Result<usize, DecodeError> {
        // Your thinking goes here. greedy.rs shows how to read the view and the actions of a game,
        // and json_game.rs those of a game without a proto.
        if self.greedy {
            greedy::choose(decision)
        } else if self.json {
            Ok(json_game::choose(decision))
        } else {
            Ok(by_hash(&self.start.seed, decision))
        }
    }
}

/// A legal action, as if at random, but the same whenever this match is played again.
fn by_hash(seed: &[u8], decision: &Decision) -> usize {
    hash(seed, decision.number) as usize % decision.legal.len()
}

/// The 32-bit FNV-1a hash of the seed and the number (4 bytes, little-endian).
fn hash(seed: &[u8], number: u32) -> u32 {
    seed.iter()
        .chain(&number.to_le_bytes())
        .fold(0x811c_9dc5, |hash, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn the_hash_is_that_of_every_starter() {
        let seed: Vec<u8> = (0..16).collect();

        assert_eq!(hash(&seed, 1), 822_214_484);
    }
}
