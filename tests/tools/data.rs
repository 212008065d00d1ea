//! Tests of training data from outside: what `datagen` writes, `data` reads, and both refuse.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use shakmaty::KnownOutcome;
use zugwerk::{
    data::{
        Block, Blocks, Filter, GameWriter, Games, Header, Kind, Ply, Record, Termination, TrainingGame,
        Variant, Writer,
    },
    position::{PackedMove, Position},
};

use crate::calls::{Folder, called, command};

/// Plays fast games until `file` contains `positions`.
fn generate(file: &str, positions: &str, more: &[&str]) -> String {
    let args = ["datagen", file, "--positions", positions, "--nodes", "100", "--hash", "1"];
    called(0, &[&args, more].concat()).0
}

fn records(file: &str) -> Vec<Record> {
    Blocks::open(Path::new(file)).unwrap().flat_map(|block| block.unwrap().records).collect()
}

/// The number of positions in the whole blocks of a file, if it exists.
fn whole_records(file: &str) -> usize {
    let blocks = Blocks::open(Path::new(file)).into_iter().flatten();
    blocks.map_while(Result::ok).map(|block| block.records.len()).sum()
}

/// The positions of a file, game by game.
fn by_game(file: &str) -> Vec<Vec<Record>> {
    let blocks = Blocks::open(Path::new(file)).unwrap().map(Result::unwrap);
    blocks.flat_map(|block| block.by_game().into_iter().map(<[_]>::to_vec).collect::<Vec<_>>()).collect()
}

/// Writes positions of `games` in version 1 of the format, which has no text before its blocks.
fn write_old(file: &str, games: &[Vec<Record>]) {
    let path = Path::new(file);
    let mut writer = Writer::create(path, &Header::new(Kind::Positions, "a test")).unwrap();
    games.iter().for_each(|game| writer.write_game(game).unwrap());
    writer.finish().unwrap();
    let (blocks, bytes) = (Blocks::open(path).unwrap().position() as usize, fs::read(path).unwrap());
    fs::write(path, [&b"ZWDATA\r\n\x01\0\0\0"[..], &bytes[blocks..]].concat()).unwrap();
}

/// The records in a canonical order, to compare them as sets.
fn sorted(file: &str) -> Vec<[u8; Record::SIZE]> {
    let mut bytes: Vec<_> = records(file).iter().map(Record::to_bytes).collect();
    bytes.sort_unstable();
    bytes
}

#[test]
fn games_are_generated_resumed_and_shown() {
    let folder = Folder::new("data-generated");
    let (whole, parts) = (folder.path("whole.zwd"), folder.path("parts.zwd"));
    let said = generate(&whole, "3000", &["--seed", "5", "--threads", "2"]);
    generate(&parts, "1000", &["--seed", "5"]);
    generate(&parts, "3000", &["--seed", "5", "--resume"]);
    let made = records(&whole);
    assert_eq!(made, records(&parts), "resumed with one thread or played at once with two");
    assert!(made.len() >= 3000 && said.starts_with(&format!("{} positions of ", made.len())), "{said}");

    let (shown, _) = called(0, &["data", "show", &whole, "--samples", "4"]);
    assert!(shown.contains("games of standard chess by `datagen`"), "{shown}");
    assert!(shown.contains(&format!("\n{} positions, ", made.len())), "{shown}");
    let samples: Vec<_> = shown.lines().rev().take(4).map(|line| Record::from_text(line).unwrap()).collect();
    assert!(samples.iter().all(|sample| made.contains(sample)), "{shown}");
    let (quiet, _) = called(0, &["data", "show", &whole, "--quiet"]);
    assert!(quiet.contains("none of these 100.0 %"), "{quiet}");
    let (verified, _) = called(0, &["data", "verify", &whole, &parts]);
    assert_eq!(verified.matches(" 0 invalid\n").count(), 2, "{verified}");
}

/// Such a file does not tell which games the run has played: they would be played again.
#[test]
fn a_run_does_not_continue_the_file_of_another_tool() {
    let folder = Folder::new("data-of-another-tool");
    let path = |name: &str| folder.path(name);
    let (games, tree) = (path("games.zwd"), path("tree.zwd"));
    generate(&games, "100", &[]);
    generate(&tree, "100", &["--from-tree", "2"]);
    for (input, more) in [(&games, &[][..]), (&tree, &["--from-tree", "2"])] {
        for tool in [&["merge"][..], &["sample", "--share", "1"], &["rescore", "--nodes", "10"]] {
            let made = path("made.zwd");
            called(0, &[&["data"], tool, &[input, "--output", &made]].concat());
            let before = fs::read(&made).unwrap();
            for accept in [&[][..], &["--accept-changes"]] {
                let flags = ["--positions", "200", "--nodes", "100", "--hash", "1", "--resume"];
                let (_, err) = called(2, &[&["datagen", &made], &flags[..], more, accept].concat());
                let message = format!("expected a file by `datagen`, got one by `data {}`", tool[0]);
                assert!(err.contains(&message) && !err.contains("--accept-changes"), "{tool:?}: {err}");
                assert_eq!(fs::read(&made).unwrap(), before, "{tool:?}");
            }
            fs::remove_file(&made).unwrap();
        }
    }
    let other = ["datagen", &games, "--positions", "200", "--nodes", "50", "--hash", "1", "--resume"];
    assert!(called(2, &other).1.contains("(--accept-changes continues anyway)"));
    called(0, &[&other[..], &["--accept-changes"]].concat());
    assert!(records(&games).len() >= 200);
}

#[test]
fn zero_plies_switch_an_adjudication_off() {
    let folder = Folder::new("data-zero-plies");
    let rule = |flag: &str, name: &str| {
        let file = folder.path(&format!("{name}.zwd"));
        generate(&file, "1", &["--evaluator", "material", flag, "0"]);
        Games::open(Path::new(&file)).unwrap().header().recipe[name].clone()
    };
    assert!(rule("--win-plies", "win").is_null());
    assert!(rule("--draw-plies", "draw").is_null());
}

#[test]
fn the_positions_survive_text_shuffling_and_merging() {
    let folder = Folder::new("data-rewritten");
    let path = |name: &str| folder.path(name);
    let (one, two) = (path("one.zwd"), path("two.zwd"));
    generate(&one, "500", &["--seed", "1"]);
    generate(&two, "500", &["--seed", "2"]);

    let (text, _) = called(0, &["data", "text", &one]);
    fs::write(path("one.txt"), &text).unwrap();
    called(0, &["data", "pack", &path("one.txt"), "--output", &path("packed.zwd")]);
    assert_eq!(records(&path("packed.zwd")), records(&one));

    let line = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 3 20 | 0 | 0.5 | e1g1\n";
    fs::write(path("960.txt"), text + line).unwrap();
    for (name, variant) in [("one", Variant::Standard), ("960", Variant::Chess960)] {
        let (text, packed) = (path(&format!("{name}.txt")), path(&format!("{name}-packed.zwd")));
        called(0, &["data", "pack", &text, "--output", &packed]);
        assert_eq!(Blocks::open(Path::new(&packed)).unwrap().header().unwrap().variant, variant, "{name}");
        assert_eq!(records(&packed).len(), fs::read_to_string(&text).unwrap().lines().count(), "{name}");
    }

    called(0, &["data", "merge", &one, &two, &one, "--output", &path("all.zwd")]);
    assert_eq!(records(&path("all.zwd")), [records(&one), records(&two), records(&one)].concat());
    called(0, &["data", "merge", &one, &two, &one, "--unique", "--output", &path("unique.zwd")]);
    assert_eq!(records(&path("unique.zwd")), [records(&one), records(&two)].concat(), "each game once");
    let (packed, merged) = (path("packed.zwd"), path("positions.zwd"));
    called(0, &["data", "merge", &packed, &packed, "--unique", "--output", &merged]);
    let (unique, all) = (records(&merged).len(), records(&one).len());
    assert!(
        unique <= all && unique + 50 > all,
        "{unique} of {all}: some stand twice in the games themselves"
    );
    let (_, err) = called(2, &["data", "merge", &one, &merged, "--output", &path("mixed.zwd")]);
    assert!(err.contains("expected files of one kind (`data shuffle` takes both"), "{err}");
    let said = called(0, &["data", "sample", &one, "--share", "0.5", "--output", &path("half.zwd")]).0;
    let half = records(&path("half.zwd"));
    assert!(half.len() < all && half.iter().all(|record| records(&one).contains(record)), "{said}");

    called(0, &["data", "shuffle", &one, "--output", &path("shuffled.zwd")]);
    assert_ne!(records(&path("shuffled.zwd")), records(&one));
    assert_eq!(sorted(&path("shuffled.zwd")), sorted(&one));
    called(0, &["data", "shuffle", &one, "--output", &path("again.zwd")]);
    assert_eq!(records(&path("again.zwd")), records(&path("shuffled.zwd")), "the seed decides");
    called(0, &["data", "shuffle", &one, "--no-tacticals", "--output", &path("calm.zwd")]);
    let calm = records(&one).iter().filter(|record| !record.is_tactical()).count();
    assert_eq!(records(&path("calm.zwd")).len(), calm);
}

#[test]
fn damage_is_named_and_passed_over() {
    let folder = Folder::new("data-damaged");
    let file = folder.path("games.zwd");
    generate(&file, "6000", &[]);
    let blocks: Vec<Block> = Blocks::open(Path::new(&file)).unwrap().map(Result::unwrap).collect();
    let bytes = fs::read(&file).unwrap();
    let mut damaged = bytes.clone();
    let first = Games::open(Path::new(&file)).unwrap().position();
    damaged[first as usize + 1000] ^= 1;
    fs::write(&file, &damaged).unwrap();
    let (out, err) = called(1, &["data", "verify", &file]);
    assert!(err.contains(&format!("the block at byte {first} is damaged")), "{err}");
    let left: usize = blocks[1..].iter().map(|block| block.records.len()).sum();
    assert!(out.contains(&format!(" {left} positions of ")), "{out}");
    let new = folder.path("new.zwd");
    for tool in [&["merge"][..], &["shuffle"], &["sample", "--share", "1"]] {
        let args = [&["data"], tool, &[&file, "--output", &new]].concat();
        let (_, err) = called(2, &args);
        assert!(err.contains("is damaged") && !Path::new(&new).exists(), "{args:?}: {err}");
        called(1, &[&args[..], &["--skip-damaged"]].concat());
        assert_eq!(records(&new).len(), left, "{args:?}");
        fs::remove_file(&new).unwrap();
    }
    called(2, &["datagen", &file, "--positions", "7000", "--resume"]);

    fs::write(&file, &bytes[..bytes.len() - 5]).unwrap();
    let (_, err) = called(1, &["data", "show", &file]);
    assert!(err.contains("the file ends within the block"), "{err}");
    generate(&file, "6000", &["--resume"]);
    assert_eq!(fs::read(&file).unwrap(), bytes, "the lost block is played again");
}

/// A game that the rules do not allow is damage: it is named, or left out with its block, and never copied.
#[test]
fn a_game_that_cannot_be_played_is_damage() {
    let folder = Folder::new("data-unplayable");
    let (sound, ill, new) = (folder.path("sound.zwd"), folder.path("ill.zwd"), folder.path("new.zwd"));
    generate(&sound, "100", &[]);
    let start = Position::default();
    let ply = Ply::new(PackedMove::new(start.find_move("e2e4").unwrap()).unwrap(), 0);
    let twice = TrainingGame::new(&start, vec![ply; 2], KnownOutcome::Draw, Termination::Unknown).unwrap();
    let mut writer = GameWriter::create(Path::new(&ill), &Header::new(Kind::Games, "a test")).unwrap();
    writer.write(&twice);
    writer.finish().unwrap();
    let at = Games::open(Path::new(&ill)).unwrap().position();
    let damaged = format!("the block at byte {at} is damaged");
    for tool in [&["merge"][..], &["shuffle"], &["sample", "--share", "1"]] {
        let args = [&["data"], tool, &[&sound, &ill, "--output", &new]].concat();
        let (_, err) = called(2, &args);
        assert!(err.contains(&format!("ill.zwd: {damaged}")) && !Path::new(&new).exists(), "{args:?}: {err}");
        called(1, &[&args[..], &["--skip-damaged"]].concat());
        assert_eq!(sorted(&new), sorted(&sound), "{args:?}");
        fs::remove_file(&new).unwrap();
    }
    let (_, err) = called(2, &["data", "export", &ill, "--output", &new, "--format", "viriformat"]);
    assert!(err.contains(&damaged) && !Path::new(&new).exists(), "{err}");
}

#[test]
fn an_interrupted_run_keeps_what_is_finished() {
    let folder = Folder::new("data-interrupted");
    let file = folder.path("games.zwd");
    let args = ["datagen", &file, "--positions", "100000000", "--nodes", "100", "--hash", "1"];
    let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while fs::metadata(&file).map_or(0, |file| file.len()) < 2000 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until it is interrupted");
        thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    called(0, &["data", "verify", &file]);
}

#[test]
fn a_book_is_played_once() {
    let folder = Folder::new("data-book");
    let (file, book) = (folder.path("games.zwd"), folder.path("book.epd"));
    let start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"open\";";
    fs::write(&book, format!("# a comment\n{start}\n\n4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n")).unwrap();
    let said = generate(&file, "100000", &["--book", &book, "--max-plies", "30"]);
    assert!(
        said.contains(" of 1 game; this run: 1 game, ") && said.contains("1 unbalanced opening skipped"),
        "{said}"
    );
    assert_eq!(records(&file).first().map(Record::ply), Some(0), "an EPD line does not count moves");
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let folder = Folder::new("data-refused");
    let (file, text, new) = (folder.path("games.zwd"), folder.path("lines.txt"), folder.path("new.zwd"));
    generate(&file, "1", &[]);
    fs::write(&text, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 0 | 0.5 | e1e2\nnonsense\n").unwrap();
    for args in [
        &["datagen", &file, "--positions", "9"][..],
        &["datagen", &new, "--positions", "9", "--chess960", "110%"],
        &["datagen", &new, "--positions", "9", "--chess960", "60%", "--double-chess960", "0.5"],
        &["datagen", &file, "--positions", "9", "--resume", "--seed", "2"],
        &["datagen", &file, "--positions", "9", "--accept-changes"],
        &["datagen", &new, "--positions", "9", "--threads", "0"],
        &["datagen", &new, "--positions", "9", "--hash", "1000000", "--threads", "1000"],
        &["datagen", &new, "--positions", "9", "--random-plies", "9-8"],
        &["datagen", &new, "--positions", "9", "--max-plies", "10"],
        &["datagen", &new, "--positions", "9", "--book", &text],
        &["datagen", &text, "--positions", "9", "--resume"],
        &["data", "show", &text],
        &["data", "verify", &new],
        &["data", "text"],
        &["data", "pack", &text, "--output", &new],
        &["data", "shuffle", &file, "--output", &file],
        &["data", "shuffle", &file, "--output", &new, "--validation", &file],
        &["data", "shuffle", &file, "--output", &new, "--validation-share", "0.5"],
        &["data", "convert", &file, "--output", &new],
        &["data", "convert", &text, "--output", &new],
        &["data", "sample", &file, "--share", "2", "--output", &new],
        &["data", "merge", &file],
    ] {
        let (_, err) = called(2, args);
        assert!(err.starts_with("zugwerk: ") && err.lines().count() == 1, "{args:?}: {err}");
        let _ = fs::remove_file(&new);
    }
    // No memory is large enough for its only line.
    fs::File::create(&text).unwrap().set_len(1 << 40).unwrap();
    let (_, err) = called(2, &["data", "pack", &text, "--output", &new]);
    assert!(err.contains("lines.txt line 1: expected `FEN | score | result | move`"), "{err}");
    for tool in ["datagen", "data"] {
        let (help, _) = called(0, &[tool, "--help"]);
        assert!(help.contains(&format!("  zugwerk {tool} ")) && help.contains("Exit codes:"), "{help}");
    }
}

#[test]
fn version_1_becomes_games_and_a_shuffle_divides_by_game() {
    let folder = Folder::new("data-converted");
    let path = |name: &str| folder.path(name);
    generate(&path("made.zwd"), "2000", &[]);
    write_old(&path("old.zwd"), &by_game(&path("made.zwd")));
    let said = called(
        0,
        &["data", "convert", &path("old.zwd"), "--output", &path("new.zwd"), "--recipe", "by hand"],
    )
    .0;
    assert!(said.contains(" 0 unplayable"), "{said}");
    assert_eq!(records(&path("new.zwd")), records(&path("made.zwd")));
    let (shown, _) = called(0, &["data", "show", &path("new.zwd")]);
    assert!(shown.contains("by hand") && shown.contains("old.zwd"), "{shown}");

    let (training, validation) = (path("training.zwd"), path("validation.zwd"));
    called(
        0,
        &[
            "data",
            "shuffle",
            &path("new.zwd"),
            &path("old.zwd"),
            "--unique",
            "--out",
            &training,
            "--validation",
            &validation,
            "--validation-share",
            "0.3",
        ],
    );
    let both = [records(&training), records(&validation)].concat();
    let mut keys: Vec<_> = both.iter().map(|record| Record::identity_of(&record.to_bytes())).collect();
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "a position stands twice");
    assert!(!records(&validation).is_empty() && records(&validation).len() < records(&training).len());
}

#[test]
fn whatever_the_moment_a_killed_run_loses_no_whole_block_and_goes_on() {
    let folder = Folder::new("data-killed");
    let (file, whole) = (folder.path("games.zwd"), folder.path("whole.zwd"));
    let flags = ["--nodes", "50", "--hash", "1", "--threads", "2", "--seed", "4"];
    // Not the signal of Ctrl-C, which is ignored at first when the tests run in the background. The moments after the
    // start, in milliseconds, differ between machines.
    for (round, signal) in (0..20).zip(["-KILL", "-TERM"].into_iter().cycle()) {
        let more = if Path::new(&file).exists() { &["--resume"][..] } else { &[] };
        let args = [&["datagen", &file], &flags[..], more].concat();
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let before = whole_records(&file);
        thread::sleep(Duration::from_millis(60 * (round * 7 % 20) + 5));
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
        child.wait().unwrap();
        let after = whole_records(&file);
        assert!(after >= before, "round {round}: {before} positions, then {after}");
    }
    let resume = |positions: &str| {
        called(0, &[&["datagen", &file], &flags[..], &["--resume", "--positions", positions]].concat())
    };
    if !Path::new(&file).exists() {
        called(0, &[&["datagen", &file], &flags[..], &["--positions", "1"]].concat());
    }
    resume("1");
    let positions = (records(&file).len() + 1).to_string();
    resume(&positions);
    called(0, &["data", "verify", &file]);
    called(0, &[&["datagen", &whole], &flags[..], &["--positions", &positions]].concat());
    assert_eq!(records(&file), records(&whole), "as if it had never been interrupted");
}

#[test]
fn scores_are_renewed_trees_labelled_files_exported_and_drawn() {
    let folder = Folder::new("data-tools");
    let path = |name: &str| folder.path(name);
    let (games, again) = (path("games.zwd"), path("again.zwd"));
    generate(&games, "300", &["--chess960", "50%", "--evaluator", "material"]);
    let rescore =
        ["data", "rescore", &games, "--output", &again, "--nodes", "50", "--hash", "1", "--threads", "2"];
    let (said, _) = called(0, &rescore);
    let count = records(&games).len();
    assert!(said.contains(&format!("{count} of {count} positions rescored")), "{said}");
    assert_eq!(records(&again).len(), count);
    assert_ne!(records(&again), records(&games));
    let (_, err) = called(2, &rescore);
    assert!(err.contains("again.zwd exists: --resume continues it") && err.lines().count() == 1, "{err}");
    called(0, &[&rescore[..], &["--resume"]].concat());
    called(2, &[&rescore[..], &["--resume", "--evaluator", "material"]].concat());

    called(0, &["data", "export", &again, "--output", &path("games.vf"), "--format", "viriformat"]);
    assert!(fs::metadata(path("games.vf")).unwrap().len() > 4 * count as u64);
    called(
        0,
        &["data", "export", &again, "--output", &path("quiet.bin"), "--format", "bulletformat", "--quiet"],
    );
    for filter in [&["--quiet"][..], &["--score-limit", "100"], &["--first-ply", "16"]] {
        let export = ["data", "export", &again, "--output", &path("some.vf"), "--format", "viriformat"];
        let (_, err) = called(2, &[&export, filter].concat());
        assert!(err.contains("viriformat has whole games") && err.lines().count() == 1, "{filter:?}: {err}");
        assert!(!Path::new(&path("some.vf")).exists());
    }
    let quiet = records(&again).iter().filter(|record| Filter::QUIET.admits(record)).count();
    assert_eq!(fs::metadata(path("quiet.bin")).unwrap().len(), 32 * quiet as u64);
    let (shown, _) = called(0, &["data", "show", &again, "--svg", &path("again.svg")]);
    assert!(
        shown.contains("games of Chess960 by `data rescore`") && shown.contains("evaluator material"),
        "{shown}"
    );
    assert!(fs::read_to_string(path("again.svg")).unwrap().ends_with("</svg>\n"));

    let tree = path("tree.zwd");
    generate(&tree, "300", &["--from-tree", "4", "--label-nodes", "50"]);
    let (verified, _) = called(0, &["data", "verify", &tree, &again, "--duplicates"]);
    assert_eq!(verified.matches(" 0 invalid").count(), 2, "{verified}");
}

/// `--resume` is suggested only for a file that it can continue.
#[test]
fn an_existing_file_is_no_output_of_a_run() {
    let folder = Folder::new("data-existing");
    let path = |name: &str| folder.path(name);
    let (games, merged, mine) = (path("games.zwd"), path("merged.zwd"), path("mine"));
    let (begun, damaged) = (path("begun.zwd"), path("damaged.zwd"));
    generate(&games, "100", &[]);
    called(0, &["data", "merge", &games, "--output", &merged]);
    fs::write(&mine, "mine").unwrap();
    // A killed run leaves such a file, which `--resume` begins again.
    fs::write(&begun, &fs::read(&games).unwrap()[..30]).unwrap();
    // The length of its header is damaged, and leads behind its end.
    let mut bytes = fs::read(&games).unwrap();
    bytes[14] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let (resume, new) = ("exists: --resume continues it", "exists: expected a new file");
    let run = ["datagen", "--positions", "9", "--nodes", "10", "--hash", "1"];
    let rescore = ["data", "rescore", &games, "--nodes", "10", "--output"];
    for (tool, file, advice) in [
        (&run[..], &games, resume),
        (&run, &begun, resume),
        (&run, &merged, new),
        (&run, &mine, new),
        (&run, &damaged, new),
        (&[&run[..], &["--resume"]].concat(), &damaged, "the header is damaged: its length is wrong"),
        (&rescore, &begun, resume),
        (&rescore, &merged, new),
        (&rescore, &mine, new),
        (&rescore, &games, "expected another file than the inputs"),
    ] {
        let before = fs::read(file).unwrap();
        let (_, err) = called(2, &[tool, &[file]].concat());
        assert!(err.contains(advice) && err.lines().count() == 1, "{tool:?} {file}: {err}");
        assert_eq!(fs::read(file).unwrap(), before);
    }
    let (_, err) = called(2, &[&rescore[..], &[&games, "--resume"]].concat());
    assert!(err.contains("expected another file than the inputs"), "{err}");
}

#[test]
fn the_same_data_can_be_worked_on_again_and_again() {
    let folder = Folder::new("data-again");
    let path = |number: usize| folder.path(&format!("{number}.zwd"));
    generate(&path(0), "1", &[]);
    for number in 0..45 {
        called(0, &["data", "merge", &path(number), "--output", &path(number + 1)]);
    }
    assert_eq!(records(&path(45)), records(&path(0)));
    let (shown, _) = called(0, &["data", "show", &path(45)]);
    assert!(shown.contains("from 44.zwd") && shown.contains("not kept"), "{shown}");
}

#[test]
fn a_shuffle_into_standard_output_reports_on_standard_error() {
    let folder = Folder::new("data-shuffle-stream");
    let games = folder.path("games.zwd");
    generate(&games, "300", &[]);
    for (training, validation) in
        [("-", folder.path("validation.zwd")), (&folder.path("training.zwd"), "-".into())]
    {
        let args = ["data", "shuffle", &games, "--output", training, "--validation", &validation];
        let output = command(&args).args(["--validation-share", "0.5"]).output().unwrap();
        let file = folder.path("streamed.zwd");
        fs::write(&file, &output.stdout).unwrap();
        called(0, &["data", "verify", &file]);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("duplicates dropped"), "{err}");
    }
}

#[test]
fn a_shuffle_warns_if_it_cannot_divide_by_game() {
    let folder = Folder::new("data-loose");
    let path = |name: &str| folder.path(name);
    generate(&path("games.zwd"), "300", &[]);
    let shuffle = |input: &str, output: &str, more: &[&str]| {
        called(0, &[&["data", "shuffle", &path(input), "--output", &path(output)], more].concat()).1
    };
    let (one, two) = (path("validation.zwd"), path("validation-2.zwd"));
    assert_eq!(shuffle("games.zwd", "training.zwd", &["--validation", &one]), "");
    let err = shuffle("training.zwd", "training-2.zwd", &["--validation", &two]);
    assert!(err.contains("belong to no game") && err.lines().count() == 1, "{err}");
    assert_eq!(shuffle("training.zwd", "training-3.zwd", &[]), "");
}

/// The games of the positions are told where they are known, and none that has no position there.
#[test]
fn a_shuffle_tells_the_games_of_the_positions() {
    let folder = Folder::new("data-games-told");
    let path = |name: &str| folder.path(name);
    generate(&path("games.zwd"), "300", &[]);
    let told = |more: &[&str]| {
        let args = ["data", "shuffle", &path("games.zwd"), "--force", "--output", &path("shuffled.zwd")];
        let (out, _) = called(0, &[&args, more].concat());
        out.lines().next().unwrap().to_owned()
    };
    assert!(told(&[]).ends_with(" games"), "{}", told(&[]));
    called(0, &["data", "shuffle", &path("games.zwd"), "--output", &path("loose.zwd")]);
    for more in [&["--first-ply", "9999"][..], &["--unique"], &[&path("loose.zwd")]] {
        assert!(told(more).ends_with(" positions"), "{}", told(more));
    }
}

#[test]
fn invalid_records_are_named_and_left_out() {
    let folder = Folder::new("data-invalid");
    let (good, bad) = (folder.path("good.zwd"), folder.path("bad.zwd"));
    generate(&good, "100", &[]);
    let made = records(&good);
    let mut writer = Writer::create(Path::new(&bad), &Header::new(Kind::Positions, "a test")).unwrap();
    for (number, record) in made.iter().enumerate() {
        let mut bytes = record.to_bytes();
        if number % 2 == 1 {
            bytes[30..].copy_from_slice(&(55_u16 << 6).to_le_bytes()); // from a1 to h7
        }
        writer.write(Record::from_bytes(&bytes).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let (out, err) = called(1, &["data", "text", &bad, &good]);
    let invalid = made.len() / 2;
    assert_eq!(out.lines().count(), 2 * made.len() - invalid);
    let message = format!("{bad}: {invalid} invalid positions left out; the first: the move is not legal");
    assert!(err.contains(&message) && err.lines().count() == 1, "{err}");
    let (out, err) = called(1, &["data", "show", &good, &bad, "--samples", "1000"]);
    assert_eq!(out.matches(" | ").count(), 3 * (2 * made.len() - invalid));
    assert!(err.contains(&message) && err.lines().count() == 1, "{err}");
}

#[test]
fn pieces_of_a_game_count_as_one_game() {
    let folder = Folder::new("data-pieces");
    let path = |name: &str| folder.path(name);
    generate(&path("made.zwd"), "500", &[]);
    let mut games = by_game(&path("made.zwd"));
    for game in &mut games {
        game.remove(game.len() / 2);
    }
    write_old(&path("old.zwd"), &games);
    called(0, &["data", "convert", &path("old.zwd"), "--output", &path("games.zwd")]);
    for tool in [&["merge"][..], &["sample", "--share", "1"]] {
        let (from, to) = (path("games.zwd"), path("copy.zwd"));
        let (out, _) = called(0, &[&["data"], tool, &[&from, "--force", "--output", &to]].concat());
        assert!(out.ends_with(&format!(" of {} games\n", games.len())), "{out}");
        let (_, totals) = zugwerk::data::tally(Path::new(&to)).unwrap();
        assert_eq!(totals.games, games.len() as u64);
    }
}

/// A limit on the size of files stands for it. The file has its name only when it is complete.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_with_the_name_of_the_output() {
    const LIMITED: &str = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let folder = Folder::new("data-full");
    let (games, lines, new) = (folder.path("games.zwd"), folder.path("lines.txt"), folder.path("new.zwd"));
    generate(&games, "1000", &[]);
    fs::write(&lines, called(0, &["data", "text", &games]).0).unwrap();
    for tool in [&["shuffle", &games][..], &["merge", &games], &["pack", &lines]] {
        let mut call = Command::new("sh");
        call.args(["-c", LIMITED, env!("CARGO_BIN_EXE_zugwerk"), "data"]).args(tool).args(["--output", &new]);
        let said = crate::calls::refusal(&mut call);
        assert!(said.starts_with(&format!("zugwerk: cannot write {new}: ")), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2, "nothing is left of them");
}

/// It could command a terminal.
#[test]
fn a_name_in_a_header_is_shown_without_control_characters() {
    let folder = Folder::new("data-control");
    let (games, all) = (folder.path("a\u{1b}[2Jb.zwd"), folder.path("all.zwd"));
    generate(&games, "100", &[]);
    called(0, &["data", "merge", &games, "--output", &all]);
    let (shown, _) = called(0, &["data", "show", &all]);
    assert!(shown.contains("from a [2Jb.zwd: games") && !shown.contains('\u{1b}'), "{shown}");
}

/// Two games of a file of version 1 that have the same first position, and then miss a position.
#[test]
fn games_are_compared_with_all_their_pieces() {
    const OPENED: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 20 | 0.5 | e2e4";
    const OPEN: [&str; 3] = [
        OPENED,
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | 20 | 0.5 | g1f3",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 | 20 | 0.5 | b8c6",
    ];
    const SICILIAN: [&str; 3] = [
        OPENED,
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | 20 | 0.5 | g1f3",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 | 20 | 0.5 | d7d6",
    ];
    let folder = Folder::new("data-unique-pieces");
    let path = |name: &str| folder.path(name);
    let games = [OPEN, SICILIAN].map(|game| game.map(|line| Record::from_text(line).unwrap()).to_vec());
    write_old(&path("old.zwd"), &games);
    called(0, &["data", "convert", &path("old.zwd"), "--output", &path("games.zwd")]);
    let (games, to) = (path("games.zwd"), path("unique.zwd"));
    let (out, _) = called(0, &["data", "merge", &games, &games, "--unique", "--output", &to]);
    assert!(out.ends_with(": 6 positions of 2 games\n"), "{out}");
    assert_eq!(records(&to), records(&games));
}

#[test]
#[cfg(unix)]
fn what_is_read_more_than_once_is_no_pipe() {
    let folder = Folder::new("data-pipes");
    let path = |name: &str| folder.path(name);
    let games = path("games.zwd");
    generate(&games, "100", &[]);
    let bytes = fs::read(&games).unwrap();
    let piped = |args: &[&str]| {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(&bytes).unwrap();
        let mut call = command(&[args, &["/dev/stdin"]].concat());
        call.stdin(reader);
        call
    };
    for args in [
        &["data", "show"][..],
        &["data", "shuffle", "--output", &path("to.zwd")],
        &["data", "merge", "--output", &path("to.zwd")],
        &["data", "sample", "--share", "0.5", "--output", &path("to.zwd")],
        &["data", "rescore", "--nodes", "50", "--output", &path("to.zwd")],
        &["data", "loss"],
        &["train", "--validation", &games, "--output", &path("net")],
        &["tune", "--validation", &games],
    ] {
        let said = crate::calls::refusal(&mut piped(args));
        assert!(said.contains("/dev/stdin: expected a regular file"), "{args:?}: {said}");
    }
    for args in [
        &["data", "verify"][..],
        &["data", "text"],
        &["data", "export", "--format", "viriformat", "--output", &path("games.vf")],
    ] {
        let output = piped(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
}

/// Another run with the same output may have finished first, after hours.
#[test]
fn a_file_that_was_made_meanwhile_stays_and_so_does_the_result() {
    let folder = Folder::new("data-meanwhile");
    let (to, new) = (folder.path("to.zwd"), folder.path("to.new.zwd"));
    let mut call = command(&["data", "pack", "-", "--output", &to]);
    let mut run = call.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_dir(folder.path("")).unwrap().count() == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    fs::write(&to, "mine").unwrap();
    let line = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5 | e2e4\n";
    run.stdin.take().unwrap().write_all(line).unwrap();
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said, format!("zugwerk: {to} exists now, made by another program: the result is in {new}\n"));
    assert_eq!((fs::read(&to).unwrap(), records(&new).len()), (b"mine".to_vec(), 1));
}

/// macOS lets a program open 256.
#[test]
#[cfg(unix)]
fn a_shuffle_needs_few_open_files() {
    let folder = Folder::new("data-few-open-files");
    let (games, to) = (folder.path("games.zwd"), folder.path("to.zwd"));
    generate(&games, "300", &[]);
    let shuffle = ["data", "shuffle", &games, "--output", &to];
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 100 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_zugwerk")])
        .args(shuffle)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(sorted(&to), sorted(&games));
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new("data-two-outputs");
    let (games, one) = (folder.path("games.zwd"), folder.path("one.zwd"));
    generate(&games, "300", &[]);
    let shuffle = |one: &str, two: &str, more: &[&str]| {
        let args = ["data", "shuffle", &games, "--output", one, "--validation", two];
        called(2, &[&args, more].concat()).1
    };
    let same = folder.path("../data-two-outputs/one.zwd");
    for two in [&one, &same] {
        let err = shuffle(&one, two, &[]);
        assert!(err.contains("expected two different outputs") && err.lines().count() == 1, "{err}");
        assert!(!Path::new(&one).exists());
    }
    fs::write(&one, "mine").unwrap();
    for two in [&one, &same] {
        shuffle(&one, two, &["--force"]);
        assert_eq!(fs::read(&one).unwrap(), b"mine");
    }
    shuffle("-", "-", &[]);
    if cfg!(unix) {
        shuffle("-", "/dev/stdout", &[]);
    }
}

#[test]
fn a_series_begins_only_where_there_is_no_other() {
    let folder = Folder::new("data-series");
    let path = |name: &str| folder.path(name);
    fs::write(path("sh-0002.zwd"), "mine").unwrap();
    let play = |code: i32, more: &[&str]| {
        let args = ["datagen", &path("sh.zwd"), "--shard", "100", "--nodes", "50", "--hash", "1"];
        called(code, &[&args, more].concat()).1
    };
    let err = play(2, &["--positions", "500"]);
    assert!(err.contains("sh-0002.zwd exists: ") && err.lines().count() == 1, "{err}");
    assert!(!Path::new(&path("sh-0001.zwd")).exists());
    assert_eq!(fs::read(path("sh-0002.zwd")).unwrap(), b"mine");
    fs::remove_file(path("sh-0002.zwd")).unwrap();
    play(0, &["--positions", "50"]);
    fs::write(path("sh-0003.zwd"), "mine").unwrap();
    let before = fs::read(path("sh-0001.zwd")).unwrap();
    let err = play(2, &["--positions", "500", "--resume"]);
    assert!(err.contains("sh-0002.zwd is missing") && err.lines().count() == 1, "{err}");
    assert_eq!(fs::read(path("sh-0001.zwd")).unwrap(), before);
    fs::remove_file(path("sh-0003.zwd")).unwrap();
    for other in ["sh-3.zwd", "sh-0009.txt", "sh-00x3.zwd", "other-0002.zwd"] {
        fs::write(path(other), "of no series").unwrap();
    }
    play(0, &["--positions", "150", "--resume"]);
}

#[test]
fn a_series_ends_where_another_file_comes_in_between() {
    let folder = Folder::new("data-series-between");
    let path = |name: &str| folder.path(name);
    let args = ["datagen", &path("sh.zwd"), "--shard", "200", "--nodes", "3000", "--hash", "1"];
    let child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !Path::new(&path("sh-0001.zwd")).exists() {
        thread::sleep(Duration::from_millis(2));
    }
    fs::write(path("sh-0002.zwd"), "mine").unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    let told =
        "sh-0002.zwd: it exists; expected a new file (the files before it are complete; without it --resume";
    assert!(err.contains(told) && err.lines().count() == 1, "{err}");
    assert_eq!(fs::read(path("sh-0002.zwd")).unwrap(), b"mine");
    assert!(records(&path("sh-0001.zwd")).len() >= 200);
    called(0, &["data", "verify", &path("sh-0001.zwd")]);
    let err = called(2, &[&args[..], &["--resume"]].concat()).1;
    assert!(err.contains("sh-0002.zwd: not a data file") && err.lines().count() == 1, "{err}");
    fs::remove_file(path("sh-0002.zwd")).unwrap();
    called(0, &[&args[..], &["--resume", "--positions", "250"]].concat());
}

#[test]
fn tools_end_quietly_when_nobody_reads() {
    let folder = Folder::new("data-closed");
    let file = folder.path("games.zwd");
    generate(&file, "2000", &[]);
    let unread = |args: &[&str]| {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for tool in ["verify", "show", "text"] {
        assert_eq!(unread(&["data", tool, &file]), (Some(0), String::new()), "{tool}");
    }
    // The exit code is the result. It says the same without a reader.
    let (damaged, merged) = (folder.path("damaged.zwd"), folder.path("merged.zwd"));
    let (suite, book) = (folder.path("suite.epd"), folder.path("empty.bin"));
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&damaged, bytes).unwrap();
    fs::write(&suite, "4k3/8/8/8/8/8/8/QQ2K3 w - - bm Kd1;\n").unwrap();
    fs::write(&book, [0; 16]).unwrap();
    for args in [
        &["data", "verify", &file, &damaged][..],
        &["data", "merge", &file, &damaged, "--skip-damaged", "--output", &merged],
        &["epd", &suite, "--nodes", "100", "--require", "1"],
        &["book", "show", &book],
    ] {
        let (code, err) = unread(args);
        assert_eq!(code, Some(1), "{args:?}: {err}");
        assert!(!args.contains(&"verify") || err.contains("damaged.zwd"), "all files are checked: {err}");
    }
}
