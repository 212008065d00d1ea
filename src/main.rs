//! The `zugwerk` program: without a subcommand a UCI engine, with one a tool from [`cli`].

mod cli;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os())
}
