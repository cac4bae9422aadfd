# make demo      install what is missing, build, and report on SampleLogs
# make test      install what is missing, build with optimization, and run all tests
# make test-full run them and the suites below at full size, with other random inputs each time
# make test-page open HTML reports in a browser
# make test-store play a server's life with 'linkaudit ingest'
# make test-fetch run 'linkaudit fetch' against servers that behave well and badly
# make test-faults play faults: files, disks, signals, limits, clocks, locales
# make test-limits test all limits with inputs that are made to exceed them
# make test-safety test what is printed, stored and asked of the network with hostile input
# make test-dashboards evaluate dashboards, alerts and queries of Integrations with Prometheus and Datasette
# make test-rows make digests of rows that DuckDB, ClickHouse and Spark count, and answer rows that they stream
# make test-pipeline run the checks of Integrations for pull requests, as GitHub and GitLab do
# make test-sql evaluate what 'linkaudit compile' writes with ClickHouse, DuckDB and Spark
# make test-thread run the parallel part under the thread sanitizer
# make test-builds build in a new clone what the documents promise, compare what make demo prints, and test with libz alone
# make test-address run all tests under the address sanitizer
# make test-spark run Integrations/spark on clusters of several processes
# make test-spark-connect run Integrations/spark through Spark Connect
# make test-package install, pack, and check packages, completions and the manual
# make test-library build a package that uses UniversalLinks, and its documentation
# make fuzz      run all fuzz targets, each for SECONDS (60)
# make benchmark measure, and print tables
# make benchmark-peers measure beside ClickHouse, DuckDB, GoAccess and plain decompression
# make install   build and install, under PREFIX (/usr/local) in DESTDIR; make uninstall removes it
# make dist      make an archive for any Linux, with a checksum, in .build/dist
# make deb       make a Debian package, in .build/dist
# make sbom      write a bill of materials, in .build/dist
# make release   make all files of a release: these, the sources, and the checksums of all, in .build/dist
# make container build a container image, with podman or what CONTAINER names
# make portable  link the command that these two pack, and print where it is
#
# BINARY=FILE tests, installs or packs that command instead of a new one. LINKAUDIT_NO_SKIPS=1 fails
# a test whose tools are missing, in place of skipping it. EVENTS=FILE keeps the events of 'make test'.

PREFIX ?= /usr/local
SWIFT ?= swift
# The package manager passes traits to the compiler in the order of a set, which is random: without
# this, every other build would compile everything anew.
export SWIFT_DETERMINISTIC_HASHING = 1
# The demo is as 'swift build' is: a new compiler's warning stops nobody from a first look.
ifneq ($(MAKECMDGOALS),demo)
export LINKAUDIT_WARNINGS_AS_ERRORS = 1
endif

# Builds the command with optimization, and prints where it is.
BUILD = SWIFT="$(SWIFT)" Scripts/build.sh
# Asked when a recipe runs, because setting up may change the answer.
TRAITS = $$(Scripts/traits.sh)
# The command that suites test, built if it is not there.
COMMAND = "$(or $(BINARY),$$($(BUILD) --quiet))"

.PHONY: all setup demo build-tests test test-full test-page test-store test-fetch test-faults test-limits \
  test-safety test-dashboards test-pipeline test-rows test-sql test-thread test-builds test-address test-spark test-spark-connect \
  test-package test-library fuzz format lint samplelogs benchmark benchmark-peers install uninstall \
  portable dist deb sbom release container clean

all: setup
	@$(BUILD)

setup:
	@Scripts/setup.sh

demo:
	@SWIFT="$(SWIFT)" Scripts/demo.sh

build-tests: setup
	@$(BUILD) --tests >/dev/null

test: build-tests
	@$(SWIFT) test -c release --force-resolved-versions --skip-build $(TRAITS) \
	  $(if $(EVENTS),--event-stream-output-path "$(EVENTS)")

test-full: export LINKAUDIT_FULL_TESTS = 1
test-full: test
	@$(MAKE) --no-print-directory test-store STORE_TEST=
	@$(MAKE) --no-print-directory test-faults FAULTS_TEST=
	@$(MAKE) --no-print-directory test-safety SAFETY_TEST=
	@$(MAKE) --no-print-directory test-spark SPARK_SEED=
	@$(MAKE) --no-print-directory test-spark-connect SPARK_SEED=
	@$(MAKE) --no-print-directory test-sql SQL_TEST=
	@$(MAKE) --no-print-directory test-builds test-page test-rows test-thread test-library
	@$(MAKE) --no-print-directory test-fetch test-limits test-dashboards test-pipeline
	@binary=$$($(BUILD) --portable --quiet) && \
	  $(MAKE) --no-print-directory test-package BINARY="$$binary" PACKAGE_TEST="--release $$binary"

# 'Scripts/setup.sh --browser' installs the browser; without one, this says so and does nothing.
test-page: setup
	@Tests/System/run.py browser --seed 1 --binary $(COMMAND)

# 'Scripts/setup.sh --store' installs the tools of some cases, which are skipped without them.
# STORE_TEST=--kills=100 plays all cases at full length.
STORE_TEST ?= --quick --seed 1 --today 2026-06-20
test-store: setup
	@Tests/System/run.py store --binary $(COMMAND) $(STORE_TEST)

# 'Scripts/setup.sh --fetch' installs nginx; without it, cases that need it are skipped.
test-fetch: setup
	@Tests/System/run.py fetch --seed 1 --binary $(COMMAND)

# 'Scripts/setup.sh --faults' installs strace, a C compiler and locales; cases that need them are skipped
# without. FAULTS_TEST= plays all cases at full length.
FAULTS_TEST ?= --quick --seed 1
test-faults: setup
	@Tests/System/run.py faults --binary $(COMMAND) $(FAULTS_TEST)

# Makes its inputs, some hundred megabytes, under the temporary directory.
test-limits: setup
	@Tests/System/run.py limits --seed 1 --binary $(COMMAND)

# 'Scripts/setup.sh --safety' installs the tools of some cases, which are skipped without them.
# SAFETY_TEST=--seed=1 plays all of them at full length.
SAFETY_TEST ?= --quick --seed 1
test-safety: setup
	@Tests/System/run.py safety --binary $(COMMAND) $(SAFETY_TEST)

# 'Scripts/setup.sh --dashboards' installs Prometheus and Datasette; without them, cases are skipped.
test-dashboards: setup
	@Tests/System/run.py dashboards --seed 1 --binary $(COMMAND)

# 'Scripts/setup.sh --warehouses' installs warehouses; cases that need one are skipped without.
test-rows: setup
	@Tests/System/run.py rows --seed 1 --binary $(COMMAND)

# Without PyYAML for Python, this says so; 'Scripts/setup.sh --checks' installs it.
test-pipeline: setup
	@Tests/System/run.py pipeline --seed 1 --binary $(COMMAND)

# 'Scripts/setup.sh --warehouses' installs the engines; without them, this says so and does nothing. SQL_TEST= asks about
# ten times as many URLs.
SQL_TEST ?= --quick --seed 1
test-sql: setup
	@Tests/System/run.py sql --binary $(COMMAND) $(SQL_TEST)

# The tests of what is parallel. THREAD_MODULES names other modules of tests, THREAD_TEST other tests.
THREAD_MODULES ?= TrafficDigestTests LinkAuditingTests
THREAD_TEST ?= --filter 'TrafficDigestTests.ReductionTests|LinkAuditingTests.AuditTests'
test-thread: export LINKAUDIT_TESTS = $(THREAD_MODULES)
test-thread: setup
	@$(SWIFT) build --scratch-path .build-thread --sanitize=thread --product linkauditPackageTests
	@$(SWIFT) test --scratch-path .build-thread --sanitize=thread --skip-build $(THREAD_TEST)

# Clones this commit, and builds there; BUILDS=--whole and BUILDS=--modules are the two halves.
BUILDS ?=
test-builds: setup
	@Scripts/test-builds.sh $(BUILDS)

# What lives as long as the process is no leak, so leaks are not reported.
ADDRESS_TEST ?=
test-address: setup
	@$(SWIFT) build $(TRAITS) --scratch-path .build-address --sanitize=address --build-tests
	@ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test $(TRAITS) --scratch-path .build-address --sanitize=address --skip-build \
	  $(ADDRESS_TEST)

# 'Scripts/setup.sh --spark' installs PySpark; without it or Java, this says so and does nothing.
SPARK_SEED ?= 1
test-spark: setup
	@SEED="$(or $(SPARK_SEED),0)" Integrations/spark/test_linkaudit_spark.py --binary $(COMMAND)

# 'Scripts/setup.sh --spark-connect' installs the PySpark that it needs.
test-spark-connect: setup
	@SEED="$(or $(SPARK_SEED),0)" Integrations/spark/test_linkaudit_spark.py --connect --binary $(COMMAND)

# 'Scripts/setup.sh --package' installs shells, readers of manuals and tools of Debian; cases without
# their tools are skipped, with a message. PACKAGE_TEST=--release also runs packages on systems without Swift.
PACKAGE_TEST ?=
test-package: setup
	@Tests/System/run.py package --seed 1 --binary $(COMMAND) $(PACKAGE_TEST)

test-library: setup
	@Tests/System/package/library.py

# TARGETS names some; Scripts/fuzz.sh --list lists them.
SECONDS ?= 60
TARGETS ?=
fuzz: setup
	@Scripts/fuzz.sh $(TARGETS) --seconds $(SECONDS)

format:
	@$(SWIFT) format --in-place --recursive Package.swift Plugins Sources Tests

lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Plugins Sources Tests

samplelogs:
	@Scripts/make-samplelogs.py

# Makes its logs first: a few gigabytes under the temporary directory.
benchmark: setup
	@Scripts/benchmark.py --binary "$$($(BUILD) --link --quiet)"

# PEERS="--lines 1000000 --seed 7" measures with other logs.
benchmark-peers:
	@Scripts/setup.sh --peers
	@Scripts/benchmark-peers.py --binary "$$($(BUILD) --link --quiet)" \
	  --python .build/peers/bin/python $(PEERS)

install: setup
	@binary=$(if $(BINARY),"$(BINARY)",$$($(BUILD) --link)) && \
	  Scripts/install.sh install "$$binary" --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall:
	@Scripts/install.sh remove --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

# Prints where the command is that archives and packages have.
portable:
	@$(BUILD) --portable --quiet

dist: setup
	@SWIFT="$(SWIFT)" Scripts/make-packages.sh dist $(if $(BINARY),--binary "$(BINARY)")

deb: setup
	@SWIFT="$(SWIFT)" Scripts/make-packages.sh deb $(if $(BINARY),--binary "$(BINARY)")

sbom: setup
	@mkdir -p .build/dist && bill=.build/dist/linkaudit-$$(Scripts/version.sh).cdx.json && \
	  Scripts/make-sbom.py --binary $(if $(BINARY),"$(BINARY)","$$($(BUILD) --portable --quiet)") --output "$$bill" && \
	  echo "$$bill"

# RELEASE_URL is the folder from which the files will be downloaded; with it, there is a formula for Homebrew.
release: export RELEASE_URL := $(RELEASE_URL)
release: setup
	@SWIFT="$(SWIFT)" Scripts/make-packages.sh release $(if $(BINARY),--binary "$(BINARY)")

CONTAINER ?= podman
container:
	@$(CONTAINER) build -f Integrations/container/Containerfile -t linkaudit .

clean:
	@$(SWIFT) package clean
