# Builds one binary under a name of the caller's choice, as OpenBench does: make EXE=name
# EVALFILE=/path/to/net, where given, is handed to the build.

EXE ?= twofold

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
NAME := $(basename $(EXE))$(if $(filter .exe,$(suffix $(EXE))),,$(suffix $(EXE)))$(SUFFIX)

ifdef EVALFILE
export EVALFILE
endif

.PHONY: all clean

all:
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" cargo build --release --bin twofold
	cp "$${CARGO_TARGET_DIR:-target}/release/twofold$(SUFFIX)" "$(NAME)"

clean:
	cargo clean
