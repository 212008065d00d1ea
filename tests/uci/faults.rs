//! Tests of the program when its environment fails: no process remains, and nothing panics.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::driver::AT_LAST;

/// The program during an infinite search, with all its pipes open.
fn thinking() -> Child {
    thinking_of("go infinite")
}

/// The program while it executes `task`, with all its pipes open.
fn thinking_of(task: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    say(&mut child, &format!("setoption name Threads value 2\nposition startpos\n{task}\n"));
    thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "it thinks");
    child
}

fn say(child: &mut Child, lines: &str) {
    child.stdin.as_mut().expect("the input is open").write_all(lines.as_bytes()).unwrap();
}

/// Its exit status, and its standard error if that is still open.
fn end(mut child: Child) -> (ExitStatus, String) {
    let deadline = Instant::now() + AT_LAST;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() >= deadline {
            child.kill().unwrap();
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_gui_that_is_killed_leaves_no_engine_behind() {
    for task in
        ["go infinite", "go depth 99", "go movetime 3600000", "go depth 99\nisready\nposition startpos\nuci"]
    {
        let mut child = thinking_of(task);
        let start = Instant::now();
        drop((child.stdin.take(), child.stdout.take(), child.stderr.take()));
        assert!(end(child).0.success(), "{task}");
        assert!(start.elapsed() < AT_LAST, "{task}: {:?}", start.elapsed());
    }
}

/// Perft writes nothing for years, so no failed write tells that nobody reads.
#[test]
#[cfg(unix)]
fn a_closed_output_is_noticed_without_writing() {
    for closed_first in ["input", "output"] {
        let mut child = thinking_of("go perft 100");
        let start = Instant::now();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        if closed_first == "input" {
            drop(input);
            thread::sleep(Duration::from_millis(200));
            assert!(child.try_wait().unwrap().is_none(), "it counts on");
            drop(output);
        } else {
            drop(output);
            thread::sleep(Duration::from_millis(200));
            assert!(child.try_wait().unwrap().is_none(), "it still obeys");
            drop(input);
        }
        assert!(end(child).0.success(), "{closed_first}");
        assert!(start.elapsed() < AT_LAST, "{closed_first}: {:?}", start.elapsed());
    }
}

#[test]
fn an_engine_that_nobody_listens_to_still_obeys() {
    let mut child = thinking();
    drop(child.stdout.take());
    say(&mut child, "stop\nisready\ngo depth 3\nuci\nquit\n");
    let (status, said) = end(child);
    assert!(status.success() && said.is_empty(), "{status}: {said}");
}

/// The answers are more than a pipe holds, 64 KiB.
#[test]
fn a_gui_that_stops_reading_can_still_end_the_engine() {
    let stuck = |end: &str| {
        let mut child = thinking();
        say(&mut child, &("d\nuci\n".repeat(100) + end));
        child
    };
    let mut closed = stuck("");
    drop(closed.stdin.take());
    let mut quit = stuck("quit\n");
    let unread = quit.stdout.take();
    assert!(end(quit).0.success());
    drop(unread);
    // It ended its input at least as long ago. Its reader may be a pager.
    let mut output = String::new();
    closed.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output.lines().filter(|line| *line == "uciok").count(), 100);
    assert!(end(closed).0.success());
}

#[test]
fn a_slow_reader_gets_every_line() {
    let mut child = thinking();
    say(&mut child, &("uci\n".repeat(100) + "quit\n"));
    let mut output = child.stdout.take().unwrap();
    let (mut text, mut piece) = (Vec::new(), [0; 16 << 10]);
    while let length @ 1.. = output.read(&mut piece).unwrap() {
        text.extend_from_slice(&piece[..length]);
        thread::sleep(Duration::from_millis(10));
    }
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().filter(|line| *line == "uciok").count(), 100);
    assert!(text.lines().last().unwrap().starts_with("bestmove "));
    assert!(end(child).0.success());
}

/// As in `zugwerk "go movetime 60000" quit | head -1`.
#[test]
fn lines_as_arguments_end_when_nobody_reads_any_more() {
    for line in ["go movetime 3600000", "genfens 1000000 seed 1 book None"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
            .args([line, "bench", "quit"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(child.stdout.take().unwrap());
        assert!(output.lines().next().unwrap().unwrap().starts_with("info "), "{line}");
        let (status, said) = end(child);
        assert!(status.success() && said.is_empty(), "{line}: {status}: {said}");
    }
}

/// The input stays open, so the program goes on; but it computes nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_search_ends_when_nobody_reads_any_more() {
    let mut child = thinking();
    drop(child.stdout.take());
    let stat = format!("/proc/{}/stat", child.id());
    let ticks = || {
        let text = std::fs::read_to_string(&stat).unwrap();
        text.rsplit_once(") ").unwrap().1.split(' ').nth(11).unwrap().parse::<u64>().unwrap()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut before = ticks();
    while {
        thread::sleep(Duration::from_secs(1));
        ticks()
    } > before
    {
        assert!(Instant::now() < deadline, "the search goes on");
        before = ticks();
    }
    assert!(child.try_wait().unwrap().is_none(), "the input is open");
    say(&mut child, "quit\n");
    assert!(end(child).0.success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_cannot_start_its_search_thread_says_so() {
    // Enough to start, but not for the stack of another thread, 32 MiB.
    let script = format!("ulimit -v 40000 && exec {}", env!("CARGO_BIN_EXE_zugwerk"));
    let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()), "{said}");
    assert!(said.starts_with("zugwerk: cannot start a thread: "), "{said}");
}

#[test]
#[cfg(unix)]
fn a_signal_to_end_is_obeyed_while_thinking() {
    use std::os::unix::process::ExitStatusExt as _;

    let child = thinking();
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let (status, said) = end(child);
    assert!(status.signal() == Some(15) || status.success(), "{status}");
    assert!(said.is_empty(), "{said}");
}
