use super::*;

/// The words of a line; `~` stands for a blank within a word.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(|word| word.replace('~', " ")).collect()
}

const ENGINES: &str = "-engine cmd=a -engine cmd=b -openings file=x.epd -rounds 1 -games 2";
const OWN: [&str; 3] = ["--engine cmd=a --engine cmd=b", "--openings x.epd --order sequential", "--games 2"];

/// What `ENGINES` with these flags becomes after those, or why not.
fn translated(flags: &str) -> Result<(String, String), String> {
    let done =
        translate(&words(&format!("{ENGINES} {flags}"))).map_err(|error| format!("{error:#}"))?.unwrap();
    let own = done.words.join(" ");
    let own = OWN.iter().fold(own, |own, part| own.replacen(part, "", 1));
    Ok((own.trim().to_owned(), done.notes.join("\n")))
}

/// The flags of fastchess's manual: their translations, or a part of what is said of them.
#[test]
fn every_flag_of_fastchess_is_translated_or_named() {
    let rows: [(&str, &str, Result<&str, &str>); 52] = [
        (
            "quick",
            "-quick cmd=a cmd=b book=x.epd",
            Err("-quick cmd=a cmd=b book=x.epd: expected its settings"),
        ),
        ("event", "-event A~B", Ok("")),
        ("site", "-site here", Ok("")),
        ("config", "-config file=x.json", Err("--resume continues a match")),
        ("concurrency", "-concurrency 4", Ok("--concurrency 4")),
        ("compliance", "-compliance a", Err("every match reports")),
        ("crc32", "-crc32 pgn=true", Ok("")),
        ("force-concurrency", "-force-concurrency", Ok("--overload")),
        ("variant", "-variant standard", Ok("")),
        ("variant", "-variant fischerandom", Ok("--chess960")),
        ("variant", "-variant atomic", Err("-variant atomic: expected standard or fischerandom")),
        ("tournament", "-tournament roundrobin", Ok("")),
        ("tournament", "-tournament gauntlet -seeds 1", Ok("--gauntlet")),
        ("tournament", "-tournament knockout", Err("expected roundrobin or gauntlet")),
        ("seeds", "-seeds 2", Err("-seeds 2: expected 1")),
        ("repeat", "-repeat", Ok("")),
        ("repeat", "-repeat 4", Err("-repeat 4: expected 2")),
        ("recover", "-recover", Ok("--recover")),
        ("show-latency", "-show-latency", Ok("")),
        ("testEnv", "-testEnv", Ok("")),
        ("draw", "-draw movenumber=40 movecount=8 score=8", Ok("--draw movenumber=40 movecount=8 score=8")),
        ("draw", "-draw score=8", Ok("--draw score=8 movenumber=0 movecount=1")),
        ("resign", "-resign movecount=3 score=600", Ok("--resign movecount=3 score=600")),
        ("resign", "-resign score=600 twosided=true", Ok("--resign score=600 movecount=1")),
        ("maxmoves", "-maxmoves 200", Ok("--max-moves 200")),
        ("tb", "-tb /a;/b", Ok(if cfg!(windows) { "--syzygy /a;/b" } else { "--syzygy /a:/b" })),
        ("tbpieces", "-tb /a -tbpieces 5", Ok("--syzygy /a --syzygy-pieces 5")),
        ("tbignore50", "-tb /a -tbignore50", Ok("--syzygy /a")),
        ("tbadjudicate", "-tb /a -tbadjudicate DRAW", Ok("--syzygy /a")),
        ("output", "-output format=cutechess", Ok("")),
        ("pgnout", "-pgnout file=a.pgn notation=san nodes=true", Ok("--pgn a.pgn --pgn-detail")),
        ("pgnout", "-pgnout file=a.pgn notation=uci nps=true", Ok("--pgn a.pgn")),
        ("pgnout", "-pgnout a.pgn fi", Ok("--pgn a.pgn")),
        ("pgnout", "-pgnout nodes=true", Err("-pgnout nodes=true: expected file=…")),
        ("epdout", "-epdout file=x.epd", Ok("")),
        ("wait", "-wait 100", Ok("")),
        ("startup-ms", "-startup-ms 1000", Ok("")),
        ("check-mate-pvs", "-check-mate-pvs", Ok("")),
        ("resign", "-resign movecount=3", Err("-resign movecount=3: expected score=…")),
        ("pgnout", "-pgnout file=a.pgn append=false pv=false nodse=true", Err("nodse=true: unknown")),
        ("noswap", "-noswap", Err("every opening is played with both colours")),
        ("reverse", "-reverse", Ok("")),
        ("ratinginterval", "-ratinginterval 50", Ok("--every 50")),
        ("scoreinterval", "-scoreinterval 1", Ok("")),
        ("autosaveinterval", "-autosaveinterval 0", Ok("")),
        (
            "sprt",
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            Ok("--sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalised"),
        ),
        (
            "sprt",
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=logistic",
            Ok("--sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=logistic"),
        ),
        ("srand", "-srand 42", Ok("--seed 42")),
        ("log", "-log file=x.log level=trace engine=true", Ok("--log x.log")),
        ("use-affinity", "-use-affinity 3,5", Ok("")),
        ("report", "-report penta=true", Ok("")),
        ("log", "-log file=x.log", Ok("")),
    ];
    for (name, flags, expected) in rows {
        assert!(meaning(name).is_some(), "{name}");
        let is_named = matches!(meaning(name), Some(Note(_)));
        match (translated(flags), expected) {
            (Ok((own, notes)), Ok(expected)) => {
                assert_eq!(own, expected, "{flags}");
                assert!(!is_named || notes.contains(&format!("-{name}")), "{notes}");
            }
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
            (other, _) => panic!("{flags}: {other:?}"),
        }
    }
    for name in ["version", "help", "engine", "each", "openings", "rounds", "games"] {
        assert!(meaning(name).is_some(), "{name}");
    }
}

#[test]
fn what_has_no_counterpart_is_named() {
    for (flags, note) in [
        ("-resign movecount=3 score=600", "-resign: both players must agree"),
        ("-pgnout file=a.pgn notation=uci", "notation=uci: the moves are in SAN"),
        ("-pgnout file=a.pgn seldepth=true", "seldepth=true: the comments have"),
        ("-log file=x.log", "-log: there is no log of the match itself"),
        ("-log file=x.log engine=true compress=true", "compress=true: --log has all"),
        ("-pgnout file=a.pgn append=false", "append=false: an existing file is refused"),
        ("-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05", "no model: normalised"),
        ("-sprt elo0=0 elo1=5 model=logistic", "no alpha or no beta: 0.05"),
        ("-each tc=1+0.01", "no timemargin: a move may take 50 ms more"),
        ("-event A~B -site here", "-event A B: "),
        ("-event A~B -site here", "-site here: "),
        ("-draw movenumber=1 movecount=8 score=8 -debug", "-debug: --log FILE"),
    ] {
        let (_, notes) = translated(flags).unwrap();
        assert!(notes.contains(note), "{flags}: {notes}");
    }
    assert_eq!(translated("-resign score=600 twosided=true").unwrap().1, "");
    assert_eq!(translated("-enigne cmd=c").unwrap_err(), "-enigne cmd=c: unknown flag");
    let started = translate(&words("-engine cmd=a -engine cmd=b -rounds 1 -games 2")).unwrap().unwrap();
    assert_eq!(started.notes, ["no -openings: the built-in openings are played"]);
    let chess960 = translate(&words("-engine cmd=a -engine cmd=b -rounds 1 -games 2 -variant fischerandom"));
    assert_eq!(chess960.unwrap().unwrap().notes, ["no -openings: the 960 starting positions are played"]);
}

#[test]
fn a_round_has_two_games() {
    let games = |flags: &str| {
        let line = format!("-engine cmd=a -engine cmd=b -openings file=x.epd {flags}");
        translate(&words(&line)).map(|done| done.unwrap()).map_err(|error| format!("{error:#}"))
    };
    for (flags, expected, is_noted) in [
        ("-rounds 100 -games 2 -repeat", "--games 200", false),
        ("-rounds 100 -repeat", "--games 200", true),
        ("-rounds 100", "--games 200", true),
        ("-games 2", "--games 4", true),
        ("", "--games 4", true),
    ] {
        let done = games(flags).unwrap();
        assert!(done.words.join(" ").ends_with(expected), "{flags}: {:?}", done.words);
        assert_eq!(!done.notes.is_empty(), is_noted, "{flags}: {:?}", done.notes);
    }
    assert!(games("-html x.html --games 6").is_err(), "a flag of ours has two dashes");
    assert!(games("--games 6").unwrap().words.join(" ").ends_with("--games 6"));
    assert!(!games("-sprt elo0=0 elo1=5").unwrap().words.contains(&"--games".to_owned()));
    for (flags, error) in [
        ("-games 100", "games 100: expected 2"),
        ("-rounds 10 -games 1", "games 1: expected 2"),
        ("-rounds x", "-rounds x: expected a whole number"),
        ("-rounds", "-rounds: expected one value"),
    ] {
        assert!(games(flags).unwrap_err().contains(error), "{flags}");
    }
}

#[test]
fn players_and_openings_have_their_settings() {
    for (theirs, ours) in [
        (
            "-engine cmd=./new name=A~B args=--x~1,2 option.Hash=64 option.Move~Overhead=5",
            "--engine cmd=./new,name=A B,args=--x 1\\,2,option.Hash=64,option.Move Overhead=5",
        ),
        ("-each tc=40/1:30+1 timemargin=20 proto=uci restart=on", "--each tc=40/1:30+1,margin=20,restart=on"),
        ("-each tc=inf nodes=1000 plies=9", "--each nodes=1000,depth=9"),
        ("-each st=0.5 ponder restart=auto dir=/x arg=-u", "--each st=0.5,ponder=on,dir=/x,arg=-u"),
        ("-both tc=1", "--each tc=1"),
        (
            "-engine a,b name=A dir=C:\\x\\ --html x.html -v",
            "--engine a\\,b,name=A,dir=C:\\x --html x.html -v",
        ),
        (
            "-engine cmd=a nodes=7 option.hash=1 -engine cmd=b st=1 -each tc=1 nodes=8 option.Hash=2",
            "--engine cmd=a --engine cmd=b --each tc=1,nodes=8,option.Hash=2",
        ),
        (
            "-openings file=b.pgn format=pgn order=random plies=8 start=3 policy=round",
            "--openings b.pgn --plies 8 --start 3 --order random",
        ),
    ] {
        let line = format!("{theirs} -rounds 1 -games 2");
        let done = translate(&words(&line)).unwrap().unwrap();
        assert_eq!(done.words.join(" "), format!("{ours} --games 2"));
    }
    for (theirs, error) in [
        ("-each proto=xboard", "-each proto=xboard: proto=xboard: expected proto=uci"),
        ("-engine conf=Fruit", "conf=Fruit: expected cmd=…"),
        ("-each initstr=x", "initstr=x: a player has no such setting here"),
        ("-each whitepov", "whitepov: expected scores for the side to move"),
        ("-engine cmd=a -each tc=inf", "tc=inf: expected another limit"),
        ("-engine cmd=a -each tc=inf -openings file=b.pgn plies=8", "tc=inf: expected another limit"),
        ("-engine cmd=a tc=inf nodes=9 -engine cmd=b tc=inf", "tc=inf: expected another limit"),
        ("-each option.Path=C:\\\\", "expected no backslash at the end"),
        ("-each args=a\"b", "expected arg=…"),
        ("-openings file=b.txt format=pgn", "format=pgn: expected the name of the file to say so"),
        ("-openings format=epd", "expected file=…"),
        ("-openings file=x.epd order=reverse", "order=reverse: expected file"),
    ] {
        let refused = format!("{:#}", translate(&words(theirs)).unwrap_err());
        assert!(refused.contains(error), "{refused}");
    }
}

/// Our own flags in their notation are answered by what to write.
#[test]
fn a_mixture_is_answered_by_what_to_write() {
    for (mixed, first, own) in [
        (
            "--engine cmd=x name=A --engine self --each tc=1,proto=uci",
            "--engine cmd=x name=A",
            "--engine cmd=x,name=A --engine self --each tc=1",
        ),
        (
            "--engine a --engine b --openings file=b.pgn",
            "--openings file=b.pgn",
            "--engine a --engine b --openings b.pgn",
        ),
        ("--engine a --engine b --rounds 10", "--rounds 10", "--engine a --engine b --games 20"),
        (
            "--engine a --engine b --games 2 --rounds 10 --repeat",
            "--rounds 10",
            "--engine a --engine b --games 20",
        ),
        (
            "--engine a --engine b --games 20 --pgnout x.pgn",
            "--pgnout x.pgn",
            "--engine a --engine b --games 20 --pgn x.pgn",
        ),
        (
            "--each plies=3 --engine a,arg=1\\,2 --engine b",
            "--each plies=3",
            "--engine a,arg=1\\,2 --engine b --each depth=3",
        ),
        (
            "--engine a --engine b --maxmoves 9 --srand 3",
            "--maxmoves 9",
            "--engine a --engine b --max-moves 9 --seed 3",
        ),
    ] {
        assert!(translate(&words(mixed)).unwrap().is_none(), "{mixed}");
        let (what, done) = corrected(&words(mixed)).unwrap().unwrap();
        assert_eq!((what.as_str(), done.words), (first, words(own)), "{mixed}");
    }
    let ours = "--engine self,name=A,args=-x --engine b --each tc=1 --games 4 --openings b.pgn --log x \
                --draw movenumber=1 score=3 --sprt elo0=-5 elo1=0 --concurrency 2 --recover -v --seed -1 --help";
    assert!(translate(&words(ours)).unwrap().is_none());
    assert_eq!(corrected(&words(ours)).unwrap(), None);
    assert_eq!(corrected(&words("--engine x,args=a\\,plies=3 --engine b")).unwrap(), None);
    let refused = corrected(&words("--engine a --engine b --rounds 10 --noswap")).unwrap_err();
    assert!(format!("{refused:#}").starts_with("--noswap: every opening is played with both colours"));
    let (_, noted) = corrected(&words("--engine a --engine b --rounds 10 --event x")).unwrap().unwrap();
    assert!(noted.notes.iter().any(|note| note.starts_with("--event x: ")), "{:?}", noted.notes);
}
