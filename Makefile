# The commands a person types. Each installs what it lacks, then uses CMake.
#
#   make build           build everything in build/ (this is what `make` does)
#   make demo            build, and run the main job
#   make check           build, and run every suite
#   make lint            clang-format, clang-tidy and mypy; a warning is an error
#   make bench           measure against rivals; writes build/bench.json
#   make fuzz            random programs in every way, compared: MINUTES=60,
#                        SEED=1, SEARCHES=loop_search; 100,000 expressions over
#                        arrays however long they take
#   make soak            all such searches, one after another: MINUTES=60; with
#                        WHOLE=1 all of docs/reliability.md's table, for hours
#   make wheel           wheels for the CPythons 3.11 to 3.14 that are here,
#                        in build/wheels
#   make check-wheel     install one in an empty root, and test that
#   make check-packaging  read Debian's and conda's packaging files
#   make check-dask      clusters of processes: Dask, Ray, joblib, pools
#   make check-pip       install with pip for 3.11 to 3.14, and test that
#   make check-pytensor  run PyTensor on Clinch, and its tests of ours
#   make fuzz-pytensor   random graphs of PyTensor's in every tier (MINUTES, SEED)
#   make check-pymc      sample with PyMC on Clinch, as its users do
#   make bench-pytensor  measure PyTensor on Clinch, on g++ and on Numba
#   make bench-scale     loads of a function in many processes, against compiles
#   make bench-pymc      measure models of PyMC's on Clinch, g++ and Numba; with
#                        CATALOGUE=folder also those of pymc-model-catalogue's core
#   make docs            the API reference, from the headers
#   make install         install what was built: PREFIX=/usr/local
#   make uninstall       remove what the last `make install` wrote
#   make clean           remove build/
#   make help            say this
#
#   PYTHON=/path/to/python3   which Python the package and the driver embed
#   PRESET=release|debug|sanitize|tsan
#   BUILD=folder              where everything is built: build, build-debug,
#                             build-sanitize, build-tsan unless you say

PYTHON ?= /usr/bin/python3
PRESET ?= release
BUILD  ?= build$(if $(filter-out release,$(PRESET)),-$(PRESET))
JOBS   ?= $(shell nproc)
export PYTHON BUILD JOBS

.PHONY: build help demo check lint bench fuzz soak docs install clean deps deps-check deps-bench \
        wheel check-wheel check-packaging check-dask uninstall check-pip check-pytensor fuzz-pytensor check-pymc \
        bench-pytensor bench-scale bench-pymc

build: deps
	@cmake --preset $(PRESET) -B $(BUILD) -DPython3_EXECUTABLE=$(PYTHON) \
	  --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)

help:
	@sed -n '/^#$$/,/^$$/s/^# \{0,1\}//p' Makefile

# What the demo needs, and no test.
demo: deps
	@cmake --preset $(PRESET) -B $(BUILD) -DPython3_EXECUTABLE=$(PYTHON) \
	  --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS) \
	  --target clinch _clinch clinch_arrays ClinchEngine
	@$(BUILD)/bin/clinch docs/demo.py
	@echo "Next: \`$(BUILD)/bin/clinch\` is the prompt; docs/getting-started.md is the first page."

check: deps-check build
	@$(PYTHON) scripts/check.py --build $(BUILD) -j $(JOBS)

MINUTES ?= 10
fuzz: deps-check build
	@$(PYTHON) test/Fuzz/fuzz.py --build $(BUILD) --jobs $(JOBS) \
	  --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(SEARCHES)

soak: deps-check build
	@$(PYTHON) test/Fuzz/soak.py --build $(BUILD) \
	  $(if $(WHOLE),--whole,--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(SEARCHES)

lint: deps-check build
	@scripts/lint.sh $(BUILD)

bench: deps-bench build
	@cmake --build $(BUILD) -j $(JOBS) --target benchmarks
	@$(PYTHON) benchmarks/run.py --build $(BUILD)

check-pytensor: deps-check build
	@scripts/check-pytensor.sh $(BUILD)

fuzz-pytensor: deps-check build
	@scripts/fuzz-pytensor.sh $(BUILD) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

wheel: deps
	@mkdir -p $(BUILD)
	@packaging/wheels.sh $(BUILD)

# Nothing but Python, and the package: in a mount namespace of its own.
check-wheel: export WHEEL_PYTHONS := $(or $(WHEEL_PYTHONS),$(PYTHON))
check-wheel: wheel
	@packaging/check-wheel.sh $(BUILD)

check-packaging:
	@scripts/install-deps.sh packaging
	@mkdir -p $(BUILD)
	@packaging/check-packaging.sh $(BUILD)

check-dask: deps-check build
	@scripts/check-dask.sh $(BUILD)

check-pymc: deps-check build
	@scripts/check-pymc.sh $(BUILD)

# The package as pip installs it, in Python 3.11 to 3.14 with NumPy 1 and 2.
check-pip: deps-check wheel
	@scripts/check-pip.sh $(BUILD)

bench-pytensor: deps-bench build
	@scripts/bench-pytensor.sh $(BUILD)

bench-scale: deps-bench build
	@scripts/bench-scale.sh $(BUILD)

bench-pymc: deps-bench build
	@CATALOGUE=$(CATALOGUE) scripts/bench-pymc.sh $(BUILD)

docs:
	@scripts/install-deps.sh docs
	@mkdir -p $(BUILD)/docs
	@CLINCH_DOCS=$(BUILD)/docs doxygen docs/Doxyfile
	@echo "The API reference is $(BUILD)/docs/html/index.html"

install: build
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

# What the last `make install` wrote, as it listed it, and folders left empty.
uninstall:
	@$(PYTHON) scripts/uninstall.py $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-wheel

deps:
	@scripts/install-deps.sh build

deps-check:
	@scripts/install-deps.sh build check

deps-bench:
	@scripts/install-deps.sh build bench
