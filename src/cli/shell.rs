//! `zugwerk completions` and `zugwerk man`: shell completions and manual pages.

use std::{fs, io, path::PathBuf};

use anyhow::ensure;
use clap::ValueHint;
use clap_complete::Shell;

use super::{Finding, InFile as _, command, output::refuse_stdout, say};

/// Print the shell completions of the command line
#[derive(clap::Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  zugwerk completions bash > ~/.local/share/bash-completion/completions/zugwerk
  zugwerk completions fish > ~/.config/fish/completions/zugwerk.fish

Exit codes: 0 printed, 2 bad usage.";

/// Write the manual pages, one for each subcommand, into a new folder
#[derive(clap::Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(super) struct ManArgs {
    /// The folder to create
    #[arg(value_hint = ValueHint::DirPath)]
    folder: PathBuf,
}

const MAN_EXAMPLES: &str = "\
Example:
  zugwerk man manual && man -l manual/zugwerk-match.1

Exit codes: 0 written, 2 bad usage, or a folder that exists.";

/// The script of clap offers flags and placeholders such as `<FILE>` for every word. Without them bash offers values, or else
/// files.
const FILES_IN_BASH: &str = r#"
_zugwerk_values() {
    _zugwerk "$@"
    if [[ $2 != -* ]]; then
        local word words=()
        for word in "${COMPREPLY[@]}"; do
            [[ $word == [-\<\[]* || $word == *'...' ]] || words+=("$word")
        done
        COMPREPLY=("${words[@]}")
    fi
}
complete -F _zugwerk_values -o nosort -o bashdefault -o default zugwerk
"#;

/// The script of clap offers files for every argument without a flag. This subcommand takes none.
const SHELLS_IN_FISH: &str = "\
complete -c zugwerk -n '__fish_seen_subcommand_from completions' -f -a 'bash elvish fish powershell zsh'
";

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<Finding> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "zugwerk", &mut script);
    script.extend(match args.shell {
        Shell::Bash => FILES_IN_BASH.as_bytes(),
        Shell::Fish => SHELLS_IN_FISH.as_bytes(),
        _ => b"",
    });
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(Finding::Positive)
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<Finding> {
    refuse_stdout("FOLDER", &args.folder)?;
    let name = args.folder.display();
    ensure!(args.folder.symlink_metadata().is_err(), "{name}: expected a folder that does not exist yet");
    fs::create_dir(&args.folder).in_file(&args.folder)?;
    clap_mangen::generate_to(command(), &args.folder).in_file(&args.folder)?;
    let pages = fs::read_dir(&args.folder).in_file(&args.folder)?.count();
    say(format_args!("{name}: {pages} pages"))?;
    Ok(Finding::Positive)
}
