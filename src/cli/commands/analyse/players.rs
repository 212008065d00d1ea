//! The players of the games to analyse.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use shakmaty::Color;
use zugwerk::{
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
    let (mut games, mut count): (BTreeMap<String, u64>, usize) = Default::default();
    for entry in Entries::open(paths)? {
        let Ok(game) = entry?.game else { continue };
        count += 1;
        for player in Color::ALL.into_iter().filter_map(|side| game.known_tag(side.fold_wb("White", "Black")))
        {
            *games.entry(player.to_owned()).or_default() += 1;
        }
    }
    // Without games there is another error.
    if count == 0 || games.keys().any(|player| is_same(player, name)) {
        return Ok(());
    }
    let mut players: Vec<_> = games.into_iter().collect();
    players.sort_by_key(|(_, games)| Reverse(*games));
    let more = if players.len() > NAMED { ", and others" } else { "" };
    let named = players.iter().take(NAMED);
    let named = named.map(|(player, games)| format!("{} ({})", quoted(player), counted(*games, "game", "games")));
    let named = named.collect::<Vec<_>>().join(", ");
    let named = if named.is_empty() { "none with a name".into() } else { named };
    anyhow::bail!("expected with --player a player of the games, got {}; there are {named}{more}", quoted(name))
}
