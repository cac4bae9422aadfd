# make demo      set up what is missing, build, and report on SampleLogs
# make test      set up what is missing, and run all tests
# make test-page open HTML reports in a browser; pictures go to SCREENSHOTS, if it is set
# make test-store play a server's life with 'linkaudit ingest'
# make test-fetch hold 'linkaudit fetch' against servers that behave well and badly
# make test-faults play what can go wrong: files, disks, signals, limits, clocks, locales
# make test-limits hold all limits against inputs that are made to break them
# make test-safety hold what is printed, stored and asked of the network against hostile input
# make test-thread run what is parallel under the thread sanitizer, built with libz alone
# make test-address run all tests under the address sanitizer
# make test-spark run Integrations/spark on clusters of several processes
# make test-package install, pack, and ask shells and readers of manuals what they make of it
# make test-library build a package that uses UniversalLinks, and its documentation
# make fuzz      run all fuzz targets, each for SECONDS (60)
# make benchmark measure, and print tables
# make install   build and install, under PREFIX (/usr/local) in DESTDIR; make uninstall removes it
# make dist      make an archive for any Linux, with a checksum, in .build/dist
# make deb       make a Debian package, in .build/dist

PREFIX ?= /usr/local
SWIFT ?= swift
SITE = --aasa SampleLogs/aasa.json --host www.example.com --routes SampleLogs/routes.txt

# Asked when a recipe runs, because setting up may change the answer.
TRAITS = $$(Scripts/traits.sh)
# Where 'make command' puts what tests run.
COMMAND = $$($(SWIFT) build $(TRAITS) --show-bin-path)/linkaudit
# Builds the command for use, and prints where it is.
RELEASE = SWIFT="$(SWIFT)" Scripts/release.sh

.PHONY: all setup command demo test test-page test-store test-fetch test-faults test-limits test-safety \
  test-thread test-address test-spark test-package test-library fuzz format lint samplelogs benchmark install \
  uninstall dist deb clean

all: setup
	@$(RELEASE)

setup:
	@Scripts/setup.sh

command: setup
	@$(SWIFT) build $(TRAITS) --quiet --product linkaudit

demo: setup
	@binary=$$($(RELEASE) --quiet) && "$$binary" report SampleLogs/logs $(SITE)

test: setup
	@$(SWIFT) build $(TRAITS) --build-tests
	@$(SWIFT) test $(TRAITS) --skip-build

# 'Scripts/setup.sh --browser' installs the browser; without one, this says so and does nothing.
test-page: command
	@Tests/Browser/test_page.py --binary "$(COMMAND)" \
	  $(if $(SCREENSHOTS),--screenshots "$(SCREENSHOTS)")

# 'Scripts/setup.sh --store' installs what some scenarios need; without it they are left out, and say so.
# STORE_TEST=--kills=100 plays all scenarios at full length.
STORE_TEST ?= --quick
test-store: command
	@Tests/Store/test_store.py --binary "$(COMMAND)" $(STORE_TEST)

# 'Scripts/setup.sh --fetch' installs nginx; without it, cases that need it are left out.
test-fetch: command
	@Tests/Fetch/test_fetch.py --binary "$(COMMAND)"

# 'Scripts/setup.sh --faults' installs strace, a C compiler and locales; without it, scenarios that need them
# are left out. FAULTS_TEST= plays all scenarios at full length.
FAULTS_TEST ?= --quick
test-faults: command
	@Tests/Faults/test_faults.py --binary "$(COMMAND)" $(FAULTS_TEST)

# Makes its inputs, some hundred megabytes, under the temporary directory.
test-limits: command
	@Tests/Limits/test_limits.py --binary "$(COMMAND)"

# 'Scripts/setup.sh --safety' installs what some scenarios need; without it they are left out, and say so.
# SAFETY_TEST=--seed=1 plays all of them at full length.
SAFETY_TEST ?= --quick
test-safety: command
	@Tests/Safety/test_safety.py --binary "$(COMMAND)" $(SAFETY_TEST)

# Built without traits, so that libz alone is seen to do. THREAD_TEST= runs all tests, others what it says.
ifeq ($(origin THREAD_TEST),undefined)
THREAD_TEST = --filter 'TrafficDigestTests.ReductionTests|LinkAuditingTests.AuditTests'
test-thread: export LINKAUDIT_PARALLEL = 1
endif
test-thread: setup
	@$(SWIFT) build --scratch-path .build-thread --sanitize=thread --build-tests
	@$(SWIFT) test --scratch-path .build-thread --sanitize=thread --skip-build $(THREAD_TEST)

# Leaks are not looked for: what lives as long as the process is none.
ADDRESS_TEST ?=
test-address: setup
	@$(SWIFT) build $(TRAITS) --scratch-path .build-address --sanitize=address --build-tests
	@ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test $(TRAITS) --scratch-path .build-address --sanitize=address --skip-build \
	  $(ADDRESS_TEST)

# 'Scripts/setup.sh --spark' installs PySpark; without it or Java, this says so and does nothing.
test-spark: command
	@Integrations/spark/test_linkaudit_spark.py --binary "$(COMMAND)"

# 'Scripts/setup.sh --package' installs shells, readers of manuals and tools of Debian; without
# them, what needs them is left out, and said. PACKAGE_TEST=--release packs a release build, too.
PACKAGE_TEST ?=
test-package: command
	@Tests/Package/test_package.py --binary "$(COMMAND)" $(PACKAGE_TEST)

test-library: setup
	@Tests/Package/test_library.py

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
	@binary=$$($(RELEASE) --quiet) && Scripts/benchmark.py --binary "$$binary"

# BINARY names a command that is installed or packed in place of a new one.
install: setup
	@binary=$(if $(BINARY),"$(BINARY)",$$($(RELEASE))) && \
	  Scripts/install.sh install "$$binary" --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall:
	@Scripts/install.sh remove --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

dist: setup
	@SWIFT="$(SWIFT)" Scripts/make-dist.sh $(if $(BINARY),--binary "$(BINARY)")

deb: setup
	@SWIFT="$(SWIFT)" Scripts/make-deb.sh $(if $(BINARY),--binary "$(BINARY)")

clean:
	@$(SWIFT) package clean
