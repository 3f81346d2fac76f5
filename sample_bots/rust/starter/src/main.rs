//! Serves a player to the referee: `bot [--rule fnv|greedy] [ADDRESS]`.

use std::env;
use std::error::Error;
use std::process::exit;
use std::sync::Arc;

use tokio::net::{TcpListener, UnixListener};

use bot::Bot;

mod bot;
mod greedy;
mod grpc;
mod json_game;
mod player;

/// What build.rs writes from the proto files.
#[allow(dead_code, clippy::all)]
mod messages {
    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

// One thread is enough: while the player thinks, there is nothing else to do.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (greedy, address) = arguments().unwrap_or_else(|| {
        eprintln!("usage: bot [--rule fnv|greedy] [unix:/path/to/socket|127.0.0.1:PORT]");
        exit(2)
    });
    let bot = Arc::new(Bot::new(greedy).map_err(|error| format!("bot.toml: {error}"))?);
    let answer = move |call| bot.clone().answer(call);
    if let Some(path) = address.strip_prefix("unix:") {
        let listener = UnixListener::bind(path)?;
        loop {
            let (connection, _) = listener.accept().await?;
            tokio::spawn(grpc::serve(connection, answer.clone()));
        }
    } else {
        let listener = TcpListener::bind(address).await?;
        loop {
            let (connection, _) = listener.accept().await?;
            connection.set_nodelay(true).ok();
            tokio::spawn(grpc::serve(connection, answer.clone()));
        }
    }
}

/// Whether to play by the rule `greedy`, and where to listen.
fn arguments() -> Option<(bool, String)> {
    let mut greedy = false;
    let mut address = env::var("REFEREE_ADDRESS").ok();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--rule" {
            greedy = match arguments.next()?.as_str() {
                "fnv" => false,
                "greedy" => true,
                _ => return None,
            };
        } else {
            address = Some(argument);
        }
    }
    Some((greedy, address.filter(|text| !text.starts_with('-'))?))
}
