//! A run of many games on many threads, and the file they go to.

use std::{
    collections::{BTreeMap, HashSet},
    io,
    path::Path,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use shakmaty::Color;

use super::{
    Recipe,
    player::{Game, Player},
};
use crate::{
    data::{DataError, Writer},
    search::Stop,
};

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions in the file, those of earlier runs included.
    pub positions: u64,
    /// Games in the file, those of earlier runs included; also the number of the next game.
    pub games: u64,
    /// Positions of this run that stood before and were dropped.
    pub duplicates: u64,
    /// Games of this run that White won.
    pub white: u64,
    /// Games of this run that were drawn.
    pub draws: u64,
    /// Games of this run that Black won.
    pub black: u64,
}

/// A file that grows game by game.
///
/// It remembers the 64-bit key of every position in the file, in about 18 bytes each at worst: 100 million positions
/// take 2 GB. Two positions with one key, of which the second is then lost, are not to be expected below some billion.
#[derive(Debug)]
pub struct Run {
    writer: Writer,
    seen: HashSet<u64>,
    counts: Counts,
}

impl Run {
    /// Begins a new file.
    ///
    /// # Errors
    ///
    /// As [`Writer::create`].
    pub fn create(path: &Path) -> Result<Self, DataError> {
        let writer = Writer::create(path)?;
        Ok(Self { writer, seen: HashSet::new(), counts: Counts::default() })
    }

    /// Goes on with a file, from its last whole block.
    ///
    /// # Errors
    ///
    /// As [`Writer::append`].
    pub fn resume(path: &Path) -> Result<Self, DataError> {
        let (mut seen, mut counts) = (HashSet::new(), Counts::default());
        let writer = Writer::append(path, |block| {
            counts.positions += block.records.len() as u64;
            counts.games += u64::from(block.games);
            seen.extend(block.records.iter().filter_map(|record| Some(record.position().ok()?.key())));
        })?;
        Ok(Self { writer, seen, counts })
    }

    /// How far it has come.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Plays on `threads` threads until the file holds `target` positions or more, `stop` is raised, or the recipe has no
    /// more games. Tells `each` after every game.
    ///
    /// Games in progress at the end are given up; a resumed run plays them again.
    ///
    /// # Errors
    ///
    /// Those of writing.
    ///
    /// # Panics
    ///
    /// If the system cannot start a thread.
    pub fn play(
        &mut self,
        recipe: &Recipe,
        threads: usize,
        target: u64,
        stop: &Stop,
        mut each: impl FnMut(&Counts),
    ) -> io::Result<()> {
        let next = AtomicU64::new(self.counts.games);
        let end = recipe.games().unwrap_or(u64::MAX);
        let (finished, games) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let (finished, next) = (finished.clone(), &next);
                scope.spawn(move || work(recipe, stop, next, end, &finished));
            }
            drop(finished);
            let written = self.write_in_order(&games, target, &mut each);
            stop.stop();
            written
        })
    }

    /// Writes games as they come in, each when all before it are written, until there are `target` positions.
    fn write_in_order(
        &mut self,
        games: &mpsc::Receiver<(u64, Game)>,
        target: u64,
        each: &mut impl FnMut(&Counts),
    ) -> io::Result<()> {
        let mut waiting = BTreeMap::new();
        while self.counts.positions < target {
            let Ok((number, game)) = games.recv() else { break };
            waiting.insert(number, game);
            while self.counts.positions < target
                && let Some(game) = waiting.remove(&self.counts.games)
            {
                self.write(&game)?;
                each(&self.counts);
            }
        }
        Ok(())
    }

    fn write(&mut self, game: &Game) -> io::Result<()> {
        for &(key, record) in &game.positions {
            if self.seen.insert(key) {
                self.writer.write(record)?;
                self.counts.positions += 1;
            } else {
                self.counts.duplicates += 1;
            }
        }
        self.counts.games += 1;
        *match game.result.winner() {
            Some(Color::White) => &mut self.counts.white,
            Some(Color::Black) => &mut self.counts.black,
            None => &mut self.counts.draws,
        } += 1;
        self.writer.end_game()
    }

    /// Writes what is left.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish()
    }
}

/// Plays one game after the other, always the next that nobody has begun, until stopped.
fn work(recipe: &Recipe, stop: &Stop, next: &AtomicU64, end: u64, finished: &mpsc::Sender<(u64, Game)>) {
    let mut player = Player::new(recipe, stop);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return;
        }
        let Some(game) = player.play(number) else { return };
        if finished.send((number, game)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
