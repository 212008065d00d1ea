# `make EXE=name` builds for the CPU of this machine and writes the program to ./name, as OpenBench expects. It needs no .git.
# `EVALFILE=path` embeds another network. `FEATURES=tune` makes the parameters of the search UCI options. For a portable program use
# `cargo build --release`. docs/building.md describes all goals.
#
# `make pgo EXE=name` is a profile-guided build: it builds an instrumented program, runs `bench` with it (`make profile`), and
# builds again with the profile. It needs the llvm-profdata of rustc's LLVM (`rustup component add llvm-tools`; PROFDATA=path names
# another one of the same version). PGO_CPU=name builds for another processor than that of this machine. Its files are in target/pgo.

EXE ?= zugwerk
# The network to embed; by default the one in nets/, if there is one.
EVALFILE ?=
export EVALFILE
# Features of Cargo.toml, separated by blanks or commas. A branch for SPSA tuning has `FEATURES ?= tune` here.
FEATURES ?=
CARGO ?= cargo
RUSTC ?= rustc

.PHONY: all profile pgo packages clean

all:
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) build --release --locked --features "$(FEATURES)" --bin zugwerk --target-dir target/native
	cp -f target/native/release/zugwerk $(EXE)

PGO = $(CURDIR)/target/pgo
# Evaluated only by the goal that needs it. With --target the flags do not apply to build scripts and macros.
HOST = $(shell $(RUSTC) -vV | sed -n 's/^host: //p')
PROFDATA ?= $(shell $(RUSTC) --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata
PGO_BUILD = $(CARGO) build --release --locked --features "$(FEATURES)" --bin zugwerk --target $(HOST) --target-dir $(PGO)

PGO_CPU ?= native

# The profile alone, $(PGO)/bench.profdata.
profile:
	@command -v "$(PROFDATA)" > /dev/null || { echo "make $(or $(MAKECMDGOALS),profile): no llvm-profdata at '$(PROFDATA)':" \
		"run 'rustup component add llvm-tools', or set PROFDATA=path" >&2; exit 2; }
	rm -rf $(PGO)/profile
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=$(PGO_CPU) -C profile-generate=$(PGO)/profile" $(PGO_BUILD)
	$(PGO)/$(HOST)/release/zugwerk bench
	$(PROFDATA) merge -o $(PGO)/bench.profdata $(PGO)/profile

pgo: profile
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=$(PGO_CPU) -C profile-use=$(PGO)/bench.profdata" $(PGO_BUILD)
	cp -f $(PGO)/$(HOST)/release/zugwerk $(EXE)

# Packages for download, one for each processor level, each of them tried: see .ci/package.
packages:
	.ci/package

clean:
	$(CARGO) clean
