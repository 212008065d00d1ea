//! `zugwerk completions`: completions of the command line for shells.

use std::io;

use clap::{Command, ValueHint};
use clap_complete::Shell;

use super::{ExitStatus, command};

/// Print the shell completions of the command line
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  zugwerk completions bash > ~/.local/share/bash-completion/completions/zugwerk
  zugwerk completions fish > ~/.config/fish/completions/zugwerk.fish

Exit codes: 0 printed, 2 bad usage.";

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
complete -F _zugwerk_values -o nosort -o bashdefault -o default zugwerk 2>/dev/null ||
    complete -F _zugwerk_values -o bashdefault -o default zugwerk
"#;

/// The script of clap offers files for every argument without a flag. This subcommand takes none.
const SHELLS_IN_FISH: &str = "\
complete -c zugwerk -n '__fish_seen_subcommand_from completions' -f -a 'bash elvish fish powershell zsh'
";

pub(super) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut without_files(command()), "zugwerk", &mut script);
    script.extend(match args.shell {
        Shell::Bash => FILES_IN_BASH.as_bytes(),
        Shell::Fish => SHELLS_IN_FISH.as_bytes(),
        _ => b"",
    });
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(ExitStatus::Positive)
}

/// `command` with no files offered for values that are not said to be files, such as numbers.
fn without_files(command: Command) -> Command {
    let command = command.mut_args(|arg| match arg.get_value_hint() {
        ValueHint::Unknown if arg.get_action().takes_values() => arg.value_hint(ValueHint::Other),
        _ => arg,
    });
    command.mut_subcommands(without_files)
}
