# SPDX-License-Identifier: MIT
#
# The front door: each target installs what Debian 12 lacks for it, builds with CMake below build/, and runs.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 7200

deps = scripts/install-deps
workflow = cmake --workflow --preset

help:
	@echo 'make demo      build, then the whole job on made-up sounds: build/demo/report.html'
	@echo 'make test      build, then run all tests'
	@echo 'make bench     build, then measure against other implementations'
	@echo 'make experiment-drums   the drum models and all that they are compared with, from nothing to the tables'
	@echo 'make experiment-rivals  five drum networks of others, each with times and with counts, from renders to the table'
	@echo 'make experiment-ecg     heart beats from counts, weaker and weaker, from the records to the tables'
	@echo 'make experiment-counts  one count for 60, 200 and 1000 events, from synthetic walks to the table'
	@echo 'make experiment-piano   88 pitches of a piano from counts, from rendered pianos to models and their table'
	@echo 'make experiment-digits  the digits of the paper from counts, on rendered canvases of MNIST, to its figures and pictures'
	@echo 'make experiment-cells   cells under a microscope, one count an image, to the table'
	@echo 'make experiment-voices  spoken digits, trained on two voices and tested on others, from espeak-ng to the table'
	@echo 'make lint      formatting, static analysis, scripts, manual, size budgets'
	@echo 'make format    lay out all C as lint wants it'
	@echo 'make asan      second compiler; tests under the address and undefined-behaviour sanitizers; first inputs of the fuzz targets'
	@echo 'make tsan      tests under the thread sanitizer'
	@echo 'make fuzz      every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make coverage  lines and branches of src that the tests run, held to their bars'
	@echo 'make ossfuzz   the fuzz targets as OSS-Fuzz builds them, each on its first inputs'
	@echo 'make soak      live detection for SOAK_SECONDS=$(SOAK_SECONDS): the same events as at once, and memory that does not grow'
	@echo 'make torture   every command, again and again, with memory, disk or the process itself failing at each n-th call'
	@echo 'make kills     1200 kills of trainings and other commands at random moments: no file lost or half, all results the same'
	@echo 'make ports     tests with clang, with musl, for arm64 and big-endian s390x in qemu; models go from one to another'
	@echo 'make install   library, header, command and manual below PREFIX=$(PREFIX); DESTDIR is honoured'
	@echo 'make clean     remove build/'

# The library and the command, without tests and benchmarks.
build:
	@$(deps) build
	cmake --preset release
	cmake --build --preset release --target loco_cli loco_shared

demo: build
	build/release/loco demo -o build/demo

test:
	@$(deps) build test
	$(workflow) release

bench: build
	@$(deps) bench
	cmake --build --preset release --target benchmarks
	bench/run

experiment-drums: build
	@$(deps) experiment
	experiments/drums/run

experiment-rivals: build
	@$(deps) experiment
	experiments/rivals/run

experiment-ecg: build
	experiments/ecg/run

experiment-counts: build
	experiments/counts/run

experiment-piano: build
	@$(deps) experiment
	experiments/piano/run

experiment-digits: build
	@$(deps) images
	experiments/digits/run

experiment-cells: build
	@$(deps) images
	experiments/cells/run

experiment-voices: build
	@$(deps) voices
	experiments/voices/run

lint:
	@$(deps) build lint
	$(workflow) lint

format:
	@$(deps) lint
	find include src studio cli tests examples fuzz bench -name '*.[ch]' | xargs clang-format -i

asan:
	@$(deps) build test fuzz
	$(workflow) asan

tsan:
	@$(deps) build test
	$(workflow) tsan

fuzz:
	@$(deps) build fuzz
	$(workflow) fuzz
	FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz

coverage:
	@$(deps) build test
	scripts/coverage --csv experiments/results/coverage.csv

ossfuzz:
	@$(deps) build fuzz
	scripts/ossfuzz

soak: build
	cmake --build --preset release --target campaigns
	campaigns/soak $(SOAK_SECONDS)

torture: build
	cmake --build --preset release --target campaigns
	campaigns/torture

kills: build
	campaigns/kills

ports:
	scripts/ports

install: build
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

clean:
	rm -rf build

.PHONY: help build demo test bench experiment-drums experiment-rivals experiment-ecg experiment-counts experiment-piano experiment-digits experiment-cells experiment-voices lint format asan tsan fuzz soak torture kills coverage ossfuzz ports install clean
