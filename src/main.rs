//! The `zugwerk` program: a UCI engine without a subcommand, one of the tools in [`cli`] with one.

// These macros panic when the reader has closed the pipe; `cli::say` and `cli::warn` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    #[cfg(target_arch = "x86_64")]
    if !cli::cpu::is_sufficient() {
        return cli::cpu::refuse();
    }
    cli::run(std::env::args_os())
}
