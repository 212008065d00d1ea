//! The `zugwerk` program: without a subcommand a UCI engine, with one a tool from [`cli`].

// They panic when nobody reads any more: `cli::say` and `cli::warn` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    #[cfg(target_arch = "x86_64")]
    if !cli::cpu::is_sufficient() {
        return cli::cpu::refuse();
    }
    cli::run(std::env::args_os())
}
