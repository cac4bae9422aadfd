# make demo      set up what is missing, build, and report on SampleLogs
# make test      set up what is missing, and run all tests
# make test-page open HTML reports in a browser; pictures go to SCREENSHOTS, if it is set
# make test-store play a server's life with 'linkaudit ingest'
# make test-fetch hold 'linkaudit fetch' against servers that behave well and badly
# make test-spark run Integrations/spark on clusters of several processes
# make benchmark measure, and print tables
# make install   build and install, under PREFIX (/usr/local)

PREFIX ?= /usr/local
SWIFT ?= swift
SITE = --aasa SampleLogs/aasa.json --host www.example.com --routes SampleLogs/routes.txt

# Asked when a recipe runs, because setting up may change the answer.
TRAITS = $$(Scripts/traits.sh)
RELEASE = $(SWIFT) build -c release $(TRAITS)

.PHONY: all setup demo test test-page test-store test-fetch test-spark format lint samplelogs benchmark install \
  clean

all: setup
	@$(RELEASE)

setup:
	@Scripts/setup.sh

demo: setup
	@$(RELEASE) --quiet --product linkaudit
	@"$$($(RELEASE) --show-bin-path)/linkaudit" report SampleLogs/logs $(SITE)

test: setup
	@$(SWIFT) build $(TRAITS) --build-tests
	@$(SWIFT) test $(TRAITS) --skip-build

# 'Scripts/setup.sh --browser' installs the browser; without one, this says so and does nothing.
test-page: setup
	@$(SWIFT) build $(TRAITS) --quiet --product linkaudit
	@Tests/Browser/test_page.py --binary "$$($(SWIFT) build $(TRAITS) --show-bin-path)/linkaudit" \
	  $(if $(SCREENSHOTS),--screenshots "$(SCREENSHOTS)")

# 'Scripts/setup.sh --store' installs what some scenarios need; without it they are left out, and say so.
# STORE_TEST=--kills=100 plays all scenarios at full length.
STORE_TEST ?= --quick
test-store: setup
	@$(SWIFT) build $(TRAITS) --quiet --product linkaudit
	@Tests/Store/test_store.py --binary "$$($(SWIFT) build $(TRAITS) --show-bin-path)/linkaudit" $(STORE_TEST)

# 'Scripts/setup.sh --fetch' installs nginx; without it, cases that need it are left out.
test-fetch: setup
	@$(SWIFT) build $(TRAITS) --quiet --product linkaudit
	@Tests/Fetch/test_fetch.py --binary "$$($(SWIFT) build $(TRAITS) --show-bin-path)/linkaudit"

# 'Scripts/setup.sh --spark' installs PySpark; without it or Java, this says so and does nothing.
test-spark: setup
	@$(SWIFT) build $(TRAITS) --quiet --product linkaudit
	@Integrations/spark/test_linkaudit_spark.py --binary "$$($(SWIFT) build $(TRAITS) --show-bin-path)/linkaudit"

format:
	@$(SWIFT) format --in-place --recursive Package.swift Sources Tests

lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

samplelogs:
	@Scripts/make-samplelogs.py

# Makes its logs first: a few gigabytes under the temporary directory.
benchmark: setup
	@$(RELEASE) --quiet --product linkaudit
	@Scripts/benchmark.py --binary "$$($(RELEASE) --show-bin-path)/linkaudit"

install: setup
	@$(RELEASE) --quiet --product linkaudit
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@install "$$($(RELEASE) --show-bin-path)/linkaudit" "$(DESTDIR)$(PREFIX)/bin/linkaudit"

clean:
	@$(SWIFT) package clean
