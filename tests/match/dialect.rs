//! Command lines of fastchess and cutechess-cli play the match that they describe.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Plays a match and returns its output and the path of its manifest. `BOOK` and `PGN` in the line stand for
/// files.
fn play(name: &str, line: &str) -> (Output, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let pgn = folder.join(format!("dialect-{name}.pgn"));
    let manifest = pgn.with_extension("pgn.match.json");
    for path in [&pgn, &manifest] {
        let _ = std::fs::remove_file(path);
    }
    let book = folder.join("dialect.epd");
    std::fs::write(&book, include_str!("../../positions/openings.epd")).unwrap();
    let line = line.replace("BOOK", book.to_str().unwrap()).replace("PGN", pgn.to_str().unwrap());
    let output =
        Command::new(env!("CARGO_BIN_EXE_zugwerk")).arg("match").args(line.split_whitespace()).output();
    (output.unwrap(), manifest)
}

/// Both lines are the same match by their manifests, and play as many games; the second is what the first is
/// said to be.
#[test]
fn documented_command_lines_are_the_same_match_as_in_own_words() {
    for (number, (theirs, ours)) in [
        (
            "-engine cmd=self name=Engine1 -engine cmd=self name=Engine2 -each nodes=20 option.Hash=1 -rounds 2 -repeat",
            "--engine cmd=self,name=Engine1 --engine cmd=self,name=Engine2 --each nodes=20,option.Hash=1 --games 4",
        ),
        (
            "-engine cmd=self name=Engine1 -engine cmd=self name=Engine2 -openings file=BOOK format=epd order=random \
             -each nodes=20 option.Hash=1 -rounds 2 -repeat -concurrency 2",
            "--engine cmd=self,name=Engine1 --engine cmd=self,name=Engine2 --openings BOOK --order random \
             --each nodes=20,option.Hash=1 --games 4 --concurrency 2",
        ),
        (
            "-engine cmd=self name=a -engine cmd=self name=b -each tc=10+0.1 plies=1 option.Hash=1 -rounds 1 -games 2 \
             -openings file=BOOK -srand 7 -maxmoves 10",
            "--engine cmd=self,name=a --engine cmd=self,name=b --each tc=10+0.1,depth=1,option.Hash=1 --games 2 \
             --openings BOOK --order sequential --seed 7 --max-moves 10",
        ),
        (
            "-engine cmd=self name=a nodes=10 -engine cmd=self name=b nodes=20 -each option.Hash=1 -rounds 1 -games 2 \
             -resign movecount=3 score=400 twosided=true -draw movenumber=34 movecount=8 score=20",
            "--engine cmd=self,name=a,nodes=10 --engine cmd=self,name=b,nodes=20 --each option.Hash=1 --games 2 \
             --resign movecount=3 score=400 --draw movenumber=34 movecount=8 score=20",
        ),
        (
            "-engine cmd=self name=a -engine cmd=self name=b -each nodes=10 option.Hash=1 -rounds 2 -games 2 -maxmoves 8 \
             -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            "--engine cmd=self,name=a --engine cmd=self,name=b --each nodes=10,option.Hash=1 --games 4 --max-moves 8 \
             --sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalised",
        ),
        (
            "-engine cmd=self name=a -engine cmd=self name=b -each nodes=10 option.Hash=1 -rounds 2 -games 2 -maxmoves 8 \
             -sprt elo0=-3 elo1=1 alpha=0.05 beta=0.05 model=logistic -ratinginterval 2 -recover",
            "--engine cmd=self,name=a --engine cmd=self,name=b --each nodes=10,option.Hash=1 --games 4 --max-moves 8 \
             --sprt elo0=-3 elo1=1 model=logistic --every 2 --recover",
        ),
        (
            "-variant fischerandom -engine cmd=self name=a -engine cmd=self name=b -each nodes=10 option.Hash=1 \
             -rounds 1 -games 2 -maxmoves 8",
            "--chess960 --engine cmd=self,name=a --engine cmd=self,name=b --each nodes=10,option.Hash=1 --games 2 \
             --max-moves 8",
        ),
        (
            "-tournament gauntlet -engine cmd=self name=a -engine cmd=self name=b -engine cmd=self name=c \
             -each nodes=10 option.Hash=1 -rounds 1 -games 2 -maxmoves 8",
            "--gauntlet --engine cmd=self,name=a --engine cmd=self,name=b --engine cmd=self,name=c \
             --each nodes=10,option.Hash=1 --games 2 --max-moves 8",
        ),
        (
            "-tournament roundrobin -engine cmd=self name=a -engine cmd=self name=b -engine cmd=self name=c \
             -each nodes=10 option.Hash=1 timemargin=100 restart=on -rounds 1 -games 2 -maxmoves 4",
            "--engine cmd=self,name=a --engine cmd=self,name=b --engine cmd=self,name=c \
             --each nodes=10,option.Hash=1,margin=100,restart=on --games 2 --max-moves 4",
        ),
        (
            "-engine cmd=self proto=uci name=a option.Threads=1 -engine cmd=self proto=uci name=b -both tc=40/1:30+1 depth=1 \
             -rounds 1 -games 2 -repeat -maxmoves 8 -openings file=BOOK start=5 plies=16 policy=round",
            "--engine cmd=self,name=a,option.Threads=1 --engine cmd=self,name=b --each tc=40/1:30+1,depth=1 --games 2 \
             --max-moves 8 --openings BOOK --order sequential --start 5 --plies 16",
        ),
        (
            "-engine cmd=self name=a ponder -engine cmd=self name=b -each st=0.02 option.Hash=1 -rounds 1 -games 2 \
             -maxmoves 4 -force-concurrency",
            "--engine cmd=self,name=a,ponder=on --engine cmd=self,name=b --each st=0.02,option.Hash=1 --games 2 \
             --max-moves 4 --overload",
        ),
        (
            "-engine cmd=self name=new option.Hash=1 -engine cmd=self name=old option.Hash=1 nodes=7 -each tc=inf nodes=8 \
             -rounds 200 -games 2 -repeat -concurrency 2 -maxmoves 6 -openings file=BOOK format=epd order=random",
            "--engine cmd=self,name=new,option.Hash=1 --engine cmd=self,name=old,option.Hash=1 --each nodes=8 \
             --games 400 --concurrency 2 --max-moves 6 --openings BOOK --order random",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let (first, manifest) = play(&format!("{number}-theirs"), &format!("{theirs} -pgnout file=PGN"));
        let stderr = String::from_utf8_lossy(&first.stderr).into_owned();
        assert!(matches!(first.status.code(), Some(0 | 3)), "{theirs}: {stderr}");
        let (second, own_manifest) = play(&format!("{number}-ours"), &format!("{ours} --pgn PGN"));
        assert_eq!(first.status, second.status, "{theirs}: {}", String::from_utf8_lossy(&second.stderr));
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        assert_eq!(read(&manifest), read(&own_manifest), "{theirs}");
        let games = |output: &Output| String::from_utf8_lossy(&output.stdout).lines().next().unwrap().to_owned();
        assert_eq!(games(&first), games(&second), "{theirs}");
        let said = stderr.lines().next().unwrap();
        for word in ours.split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(said.contains(word), "{word}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    for (line, message) in [
        (
            "-engine cmd=self -engine cmd=self -noswap",
            "zugwerk: -noswap: every opening is played with both colours",
        ),
        (
            "--engine cmd=self name=A --engine self --pgn PGN",
            "zugwerk: match --engine cmd=self name=A: expected ",
        ),
        ("--engine self --engine self --pgn PGN --rounds 3", "zugwerk: match --rounds 3: expected "),
    ] {
        let (output, manifest) = play("refused", line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.starts_with(message) && !manifest.exists(), "{stderr}");
    }
}

/// An interrupted match is continued by a command that is one of ours.
#[cfg(target_os = "linux")]
#[test]
fn the_command_that_continues_is_in_own_words() {
    let line = "-engine cmd=self name=a -engine cmd=self name=b -each nodes=50 option.Hash=1 -rounds 5000 -maxmoves 9 -pgnout file=PGN";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let pgn = folder.join("dialect-continued.pgn");
    let _ = std::fs::remove_file(&pgn);
    let _ = std::fs::remove_file(pgn.with_extension("pgn.match.json"));
    let line = line.replace("PGN", pgn.to_str().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.arg("match").args(line.split_whitespace());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    crate::wait_until(|| pgn.metadata().is_ok_and(|file| file.len() > 0));
    crate::send("INT", child.id());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let told = stderr.lines().find_map(|line| line.split_once("to continue: ")).expect(&stderr).1;
    assert!(
        told.contains(" match --engine cmd=self,name=a ") && told.ends_with("--games 10000 --resume"),
        "{told}"
    );
}
