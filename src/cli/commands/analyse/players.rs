//! The players of the games to analyse.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use shakmaty::Color;
use zugwerk::{
    chess::notation,
    report::player::is_same,
    words::{counted, quoted},
};

use super::input::Entries;

/// The most players that an error names.
const NAMED: usize = 8;

/// Checks before the work that somebody in the games has this name. What can be read only once, such as
/// standard input, is not read for it.
pub(super) fn check(name: &str, paths: &[PathBuf]) -> anyhow::Result<()> {
    let is_file = |path: &Path| path.metadata().is_ok_and(|data| data.is_file());
    if !paths.iter().all(|path| is_file(path)) {
        return Ok(());
    }
    // By the name in small letters: the name as it is first written, and the number of games.
    let mut players: BTreeMap<String, (String, u64)> = BTreeMap::new();
    let mut has_games = false;
    for entry in Entries::open(paths)? {
        let Ok(game) = entry?.game else { continue };
        has_games = true;
        for player in Color::ALL.into_iter().filter_map(|side| game.known_tag(notation::side(side))) {
            players.entry(player.trim().to_lowercase()).or_insert_with(|| (player.to_owned(), 0)).1 += 1;
        }
    }
    // Without games there is another error.
    if !has_games || players.values().any(|(player, _)| is_same(player, name)) {
        return Ok(());
    }
    let mut players: Vec<_> = players.into_values().collect();
    players.sort_by_key(|(_, games)| Reverse(*games));
    let more = if players.len() > NAMED { ", and others" } else { "" };
    let named = players.iter().take(NAMED);
    let named =
        named.map(|(player, games)| format!("{} ({})", quoted(player), counted(*games, "game", "games")));
    let named = named.collect::<Vec<_>>().join(", ");
    let named = if named.is_empty() { "none with a name".into() } else { named };
    anyhow::bail!(
        "expected with --player a player of the games, got {}; there are {named}{more}",
        quoted(name)
    )
}
