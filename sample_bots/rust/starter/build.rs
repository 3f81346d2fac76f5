//! Generates Rust code for the messages of every proto file, with Debian's protoc.

use std::fs;
use std::io::Result;
use std::path::PathBuf;

const PROTOS: &str = "proto/referee_bot/v1";

fn main() -> Result<()> {
    let files = fs::read_dir(PROTOS)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>>>()?;
    println!("cargo:rerun-if-changed={PROTOS}");
    prost_build::Config::new()
        .include_file("messages.rs")
        .compile_protos(&files, &["proto"])
}
