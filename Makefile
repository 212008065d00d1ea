# `make EXE=name` builds for the CPU of this machine and writes the program to ./name, as OpenBench expects. It needs no .git.
# `EVALFILE=path` embeds another network. `FEATURES=tune` makes the parameters of the search UCI options. For a portable program use
# `cargo build --release`. docs/building.md describes all goals.

EXE ?= zugwerk
# The network to embed; by default the one in nets/, if there is one.
EVALFILE ?=
export EVALFILE
# Features of Cargo.toml, separated by blanks or commas. A branch for SPSA tuning has `FEATURES ?= tune` here.
FEATURES ?=
CARGO ?= cargo
# The end of the names of programs. OpenBench's worker for Windows looks for it.
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

.PHONY: all packages clean

all:
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) build --release --locked --features "$(FEATURES)" --bin zugwerk --target-dir target/native
	cp -f target/native/release/zugwerk$(SUFFIX) $(EXE:.exe=)$(SUFFIX)

# Packages for download, one for each processor level, each of them tried: see .ci/package.
packages:
	.ci/package

clean:
	$(CARGO) clean
