# `make EXE=name` builds for the CPU of this machine and leaves the binary at ./name, as OpenBench expects.
# Needs no .git. For a portable binary use `cargo build --release`.

EXE ?= zugwerk
CARGO ?= cargo

.PHONY: all clean

all:
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) build --release --locked --bin zugwerk --target-dir target/native
	cp -f target/native/release/zugwerk $(EXE)

clean:
	$(CARGO) clean
