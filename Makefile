# `make EXE=name` builds for the CPU of this machine and leaves the binary at ./name, as OpenBench expects.
# `EVALFILE=path` builds a network in; `FEATURES=tune` makes the search's numbers UCI options. Needs no .git. For a portable binary use `cargo build --release`.
#
# `make pgo EXE=name` does the same guided by a profile: it builds a binary that counts what it does, runs `bench` with
# it, and builds again with what was counted. Needs the llvm-profdata of the LLVM inside rustc (`rustup component add
# llvm-tools`; another one of the same version as PROFDATA=path). Everything of it lies in target/pgo.

EXE ?= zugwerk
# A network to build into the program; without it the one in nets/, if there is any.
EVALFILE ?=
export EVALFILE
# Features of Cargo.toml, with blanks or commas between them. A branch that tunes by SPSA says here `FEATURES ?= tune`.
FEATURES ?=
CARGO ?= cargo
RUSTC ?= rustc

.PHONY: all pgo packages clean

all:
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) build --release --locked --features "$(FEATURES)" --bin zugwerk --target-dir target/native
	cp -f target/native/release/zugwerk $(EXE)

PGO = $(CURDIR)/target/pgo
# Asked of rustc only by the goal that needs it. With a --target the flags are not for build scripts and macros.
HOST = $(shell $(RUSTC) -vV | sed -n 's/^host: //p')
PROFDATA ?= $(shell $(RUSTC) --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata
PGO_BUILD = $(CARGO) build --release --locked --features "$(FEATURES)" --bin zugwerk --target $(HOST) --target-dir $(PGO)

pgo:
	@command -v "$(PROFDATA)" > /dev/null || { echo "make pgo: no llvm-profdata at '$(PROFDATA)':" \
		"run 'rustup component add llvm-tools', or name one as PROFDATA=path" >&2; exit 2; }
	rm -rf $(PGO)/profile
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native -C profile-generate=$(PGO)/profile" $(PGO_BUILD)
	$(PGO)/$(HOST)/release/zugwerk bench
	$(PROFDATA) merge -o $(PGO)/bench.profdata $(PGO)/profile
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native -C profile-use=$(PGO)/bench.profdata" $(PGO_BUILD)
	cp -f $(PGO)/$(HOST)/release/zugwerk $(EXE)

# Programs for others to download, one for each kind of processor, packed and tried: see .ci/package.
packages:
	.ci/package

clean:
	$(CARGO) clean
