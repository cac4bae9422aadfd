# make demo      set up what is missing, build, and report on SampleLogs
# make test      set up what is missing, and run all tests
# make install   build and install, under PREFIX (/usr/local)

PREFIX ?= /usr/local
SWIFT ?= swift
SITE = --aasa SampleLogs/aasa.json --host www.example.com --routes SampleLogs/routes.txt

.PHONY: all setup demo test format lint samplelogs install clean

all: setup
	@$(SWIFT) build -c release

setup:
	@Scripts/setup.sh

demo: setup
	@$(SWIFT) build -c release --quiet --product linkaudit
	@"$$($(SWIFT) build -c release --show-bin-path)/linkaudit" report SampleLogs/logs $(SITE)

test: setup
	@$(SWIFT) build --build-tests
	@$(SWIFT) test --skip-build

format:
	@$(SWIFT) format --in-place --recursive Package.swift Sources Tests

lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

samplelogs:
	@Scripts/make-samplelogs.py

install: setup
	@$(SWIFT) build -c release --quiet --product linkaudit
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@install "$$($(SWIFT) build -c release --show-bin-path)/linkaudit" "$(DESTDIR)$(PREFIX)/bin/linkaudit"

clean:
	@$(SWIFT) package clean
