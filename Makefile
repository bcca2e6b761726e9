# The commands a person types. Each installs what it lacks, then uses CMake.
#
#   make build       build everything in build/ (this is what `make` does)
#   make demo        build, and run a tour of one minute
#   make check       build, lint what is quick, run the suites that need no package of
#                    PyPI's, and slices of PyTensor's, Dask's, PyMC's and the clients'
#                    where pip can install them; with WHOLE=1 all of the first three, for
#                    one version of each. SUITE=pytensor, pymc, clients, r, torch, dask,
#                    gpu, pip, wheel or packaging runs that suite whole and alone;
#                    ARGS="-k name" are pytest's, PYTENSOR=2.38 a version
#   make lint        clang-format, clang-tidy, mypy --strict, ruff and the pages' language;
#                    a warning is an error
#   make soak        random programs in every way, and all other searches, one after
#                    another: MINUTES=10, SEED=1, SEARCHES="loops graphs"; with WHOLE=1
#                    all of docs/internals/reliability.md's table, for hours. The
#                    searches arrays and pytensor run only by name
#   make bench       measure against rivals; PART=arrays, core, ... runs one part. The
#                    parts clients, pytensor, pymc, torch and scale run only by name
#   make wheel       wheels for the CPythons 3.11 to 3.14 that are here,
#                    in build/wheels
#   make docs        the site: all pages, and the API reference of Python, C and C++
#   make install     install what was built: PREFIX=/usr/local
#   make uninstall   remove what the last `make install` wrote
#   make clean       remove build/
#   make help        show this help
#
#   PYTHON=/path/to/python3   which Python the package and the driver embed
#   PRESET=release|debug|sanitize|tsan|coverage
#   BUILD=folder              where everything is built: build, build-debug,
#                             build-sanitize, build-tsan, build-coverage unless you say

PYTHON ?= /usr/bin/python3
PRESET ?= release
BUILD  ?= build$(if $(filter-out release,$(PRESET)),-$(PRESET))
JOBS   ?= $(shell nproc)
MINUTES ?= 10
export PYTHON BUILD JOBS

.PHONY: build demo check lint soak bench wheel docs install uninstall clean help

# What is installed first: groups of scripts/install-deps.sh.
check lint soak: DEPS = check
bench: DEPS = bench
docs: DEPS = docs

build:
	@scripts/install-deps.sh build $(DEPS)
	@cmake --preset $(PRESET) -B $(BUILD) -DPython3_EXECUTABLE=$(PYTHON) \
	  --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)

help:
	@sed -n '/^#$$/,/^$$/s/^# \{0,1\}//p' Makefile

# What the demo needs, and no test.
demo:
	@scripts/install-deps.sh build
	@cmake --preset $(PRESET) -B $(BUILD) -DPython3_EXECUTABLE=$(PYTHON) \
	  --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS) \
	  --target clinch _clinch clinch_arrays ClinchEngine
	@$(BUILD)/bin/clinch docs/demo.py
	@echo "Next: \`$(BUILD)/bin/clinch\` is the prompt; the first page is" \
		"docs/guide/tour.md."

# One that tests a wheel needs that one alone, of this Python.
check: $(if $(filter pip wheel,$(SUITE)),wheel) build
ifdef SUITE
	@scripts/suite.sh $(BUILD) $(SUITE) $(ARGS)
else
	@scripts/lint.sh $(BUILD) changed
	@$(PYTHON) scripts/check.py --build $(BUILD) -j $(JOBS) $(if $(WHOLE),--whole)
endif

ifneq ($(filter packaging r,$(SUITE)),)
check: DEPS = check $(SUITE)
endif
ifeq ($(SUITE),wheel)
check: export WHEEL_PYTHONS := $(or $(WHEEL_PYTHONS),$(PYTHON))
endif

soak: build
	@$(PYTHON) test/Fuzz/soak.py --build $(BUILD) \
	  $(if $(WHOLE),--whole,--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(SEARCHES)

lint: build
	@scripts/lint.sh $(BUILD)

bench: build
	@cmake --build $(BUILD) -j $(JOBS) --target benchmarks
ifdef PART
	@benchmarks/part.sh $(BUILD) $(PART) $(ARGS)
else
	@$(PYTHON) benchmarks/run.py --build $(BUILD)
endif

wheel:
	@scripts/install-deps.sh build
	@mkdir -p $(BUILD)
	@packaging/wheels.sh $(BUILD)

docs: build
	@mkdir -p $(BUILD)/docs
	@CLINCH_DOCS=$(BUILD)/docs doxygen docs/Doxyfile
	@CLINCH_BUILD=$(abspath $(BUILD)) $(PYTHON) -m sphinx -qW --keep-going -b html \
	  docs $(BUILD)/docs/html
	@echo "The site is $(BUILD)/docs/html/index.html"

install: build
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

# What the last `make install` wrote, as it listed it, and folders left empty.
uninstall:
	@$(PYTHON) cmake/uninstall.py $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-wheel
