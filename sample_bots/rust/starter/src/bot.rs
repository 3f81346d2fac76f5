//! The loop: answers MatchStart with Ready, Decision with Choice, and a Batch of them with Answers.

use std::collections::HashMap;
use std::sync::Arc;
use std::{env, fs, io};

use crate::grpc::{self, Call, Status};
use crate::messages::referee_bot::v1 as pb;
use crate::player::Player;
use pb::bot_message::Body as Answer;
use pb::part::Body as Part;
use pb::referee_message::Body as Question;

const PROTOCOL_MINOR: u32 = 2;
const MAX_BATCH: u32 = 1024;

pub struct Bot {
    about: pb::DescribeResponse,
    greedy: bool,
    token: Option<String>,
}

impl Bot {
    /// Reads bot.toml in the current folder. The referee starts a bot in the bot's own folder.
    pub fn new(greedy: bool) -> io::Result<Self> {
        let toml = fs::read_to_string("bot.toml")?;
        let about = pb::DescribeResponse {
            name: strings(&toml, "name").concat(),
            version: strings(&toml, "version").concat(),
            games: strings(&toml, "games"),
            protocol_minor: PROTOCOL_MINOR,
            max_parallel: 1,
            max_batch: MAX_BATCH,
            ..Default::default()
        };
        let token = env::var("REFEREE_TOKEN").ok();
        if token.as_deref() == Some("") {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "REFEREE_TOKEN is empty"));
        }
        let token = token.map(|token| format!("Bearer {token}"));
        Ok(Bot {
            about,
            greedy,
            token,
        })
    }

    pub async fn answer(self: Arc<Self>, mut call: Call) {
        let ended = if !self.may_call(&call) {
            Err(grpc::UNAUTHENTICATED)
        } else {
            match call.method() {
                "/referee_bot.v1.Bot/Describe" => self.describe(&mut call).await,
                "/referee_bot.v1.Bot/Play" => self.play(&mut call).await,
                _ => Err(grpc::UNIMPLEMENTED),
            }
        };
        call.end(ended.err().unwrap_or(grpc::OK)).await;
    }

    /// Anybody on this machine could call a TCP port, but only the referee has the token.
    fn may_call(&self, call: &Call) -> bool {
        match &self.token {
            Some(token) => call
                .metadata("authorization")
                .map_or(false, |shown| shown == token),
            None => true,
        }
    }

    async fn describe(&self, call: &mut Call) -> Result<(), Status> {
        call.receive::<pb::DescribeRequest>().await?;
        call.send(&self.about)
    }

    /// Plays match after match, each with a new player, until the referee closes the stream.
    async fn play(&self, call: &mut Call) -> Result<(), Status> {
        let mut player = None;
        let mut players = HashMap::new();
        while let Some(message) = call.receive::<pb::RefereeMessage>().await? {
            match message.body {
                Some(Question::MatchStart(start)) => {
                    player = Some(Player::new(start, self.greedy));
                    call.send(&saying(Answer::Ready(pb::Ready {})))?;
                }
                Some(Question::Decision(decision)) => {
                    let player = player
                        .as_mut()
                        .expect("a match starts before its first decision");
                    let index = player.choose(&decision)?;
                    // A later protocol may add fields to any message.
                    let choice = pb::Choice {
                        decision: decision.number,
                        index: Some(index as u32),
                        ..Default::default()
                    };
                    call.send(&saying(Answer::Choice(choice)))?;
                }
                Some(Question::Batch(batch)) => {
                    let answers = self.answers(batch, &mut players)?;
                    if !(answers.r#match.is_empty() && answers.ready.is_empty()) {
                        call.send(&saying(Answer::Answers(answers)))?;
                    }
                }
                // Nobody answers messages that a later protocol may add.
                Some(Question::MatchEnd(_)) | None => {}
            }
        }
        Ok(())
    }

    /// The players are kept by the numbers of their matches, as long as these last.
    fn answers(
        &self,
        batch: pb::Batch,
        players: &mut HashMap<u32, Player>,
    ) -> Result<pb::Answers, Status> {
        let mut answers = pb::Answers::default();
        for part in batch.parts {
            match part.body {
                Some(Part::MatchStart(start)) => {
                    players.insert(part.r#match, Player::new(start, self.greedy));
                    answers.ready.push(part.r#match);
                }
                Some(Part::Decision(decision)) => {
                    let player = players
                        .get_mut(&part.r#match)
                        .expect("a match starts before its first decision");
                    answers.index.push(player.choose(&decision)? as u32);
                    answers.r#match.push(part.r#match);
                    answers.decision.push(decision.number);
                }
                Some(Part::MatchEnd(_)) | None => {
                    players.remove(&part.r#match);
                }
            }
        }
        Ok(answers)
    }
}

fn saying(body: Answer) -> pb::BotMessage {
    pb::BotMessage {
        body: Some(body),
        ..Default::default()
    }
}

/// The strings on the line of a key. This bot needs no more of TOML.
fn strings(toml: &str, key: &str) -> Vec<String> {
    let is_of_key = |line: &&str| line.split('=').next().map(str::trim) == Some(key);
    let line = toml.lines().find(is_of_key).unwrap_or_default();
    line.split('"')
        .skip(1)
        .step_by(2)
        .map(String::from)
        .collect()
}
