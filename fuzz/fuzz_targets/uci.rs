//! A session: no line except `quit` ends it, and every search is answered.
//!
//! Lines with outside effects (files, more threads, gigabytes) and possibly long searches are excluded;
//! requested searches become searches of a few nodes.

#![no_main]

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use libfuzzer_sys::fuzz_target;
use shakmaty::CastlingMode;
use zugwerk::{
    chess::position::Position,
    engine::uci::{
        Output, Session,
        command::{Command, parse},
    },
};

/// Counts the answers.
struct Answers(Arc<AtomicUsize>);

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).expect("answers are text");
        let answers = text.lines().filter(|line| line.starts_with("bestmove ")).count();
        self.0.fetch_add(answers, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let answers = Arc::new(AtomicUsize::new(0));
    let mut asked = 0;
    let output = Output::new(Answers(Arc::clone(&answers))).expect("a thread");
    let session = Session::new(output).expect("a thread");
    let mut lines = Vec::new();
    for line in text.lines() {
        match parse(line, &Position::default(), CastlingMode::Standard) {
            Ok(Some(Command::Go(_))) => {
                asked += 1;
                lines.push("go nodes 50".to_owned());
            }
            Ok(Some(Command::SetOption { name, value })) if !is_harmless(&name, &value) => {}
            Ok(Some(Command::Bench(_))) => {}
            Ok(Some(Command::Quit)) => break,
            _ => lines.push(line.to_owned()),
        }
    }
    session.run_lines(&lines);
    assert_eq!(answers.load(Ordering::Relaxed), asked, "{lines:?}");
});

fn is_harmless(name: &str, value: &str) -> bool {
    let reaches_out = ["SyzygyPath", "Debug Log File", "EvalFile", "Threads"];
    let name = name.trim();
    let is_large =
        name.eq_ignore_ascii_case("Hash") && value.trim().parse::<u64>().is_ok_and(|size| size > 4);
    !is_large && !reaches_out.iter().any(|option| option.eq_ignore_ascii_case(name))
}
