//! Players of a match, as flags describe them.

use anyhow::{Context as _, Result, ensure};
use zugwerk::arena::players::spec::PlayerSpec;

/// If the first part of a list has no key, it is the command: `--engine self,name=A`.
pub(crate) fn with_command(own: &str) -> String {
    let first = own.split(',').next().unwrap_or_default();
    if first.contains('=') { own.to_owned() } else { format!("cmd={own}") }
}

/// Replaces the command `self` by the path of this program, and checks the folder that the player runs in:
/// without it the system would say that the program is missing.
pub(crate) fn settle(player: &mut PlayerSpec) -> Result<()> {
    if let Some(folder) = &player.directory {
        ensure!(folder.is_dir(), "dir={}: expected a folder", folder.display());
    }
    if player.command.as_os_str() == "self" {
        player.command = std::env::current_exe().context("cannot find this program")?;
    }
    Ok(())
}
