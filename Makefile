# The commands a person types. Each installs what it lacks, then uses CMake.
#
#   PYTHON=/path/to/python3   which Python the package and the driver embed
#   PRESET=release|debug|sanitize
#   BUILD=folder              where everything is built: build, build-debug,
#                             build-sanitize unless you say

PYTHON ?= /usr/bin/python3
PRESET ?= release
BUILD  ?= build$(if $(filter-out release,$(PRESET)),-$(PRESET))
JOBS   ?= $(shell nproc)
export PYTHON BUILD

.PHONY: build demo check lint bench docs install clean deps deps-check deps-bench \
        check-pytensor bench-pytensor

build: deps
	@cmake --preset $(PRESET) -B $(BUILD) -DPython3_EXECUTABLE=$(PYTHON) \
	  --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)

demo: build
	@$(BUILD)/bin/clinch docs/demo.py

check: deps-check build
	@$(PYTHON) scripts/check.py --build $(BUILD) -j $(JOBS)

lint: deps-check build
	@scripts/lint.sh $(BUILD)

bench: deps-bench build
	@cmake --build $(BUILD) -j $(JOBS) --target benchmarks
	@$(PYTHON) benchmarks/run.py --build $(BUILD)

check-pytensor: deps-check build
	@scripts/check-pytensor.sh $(BUILD)

bench-pytensor: deps-bench build
	@scripts/bench-pytensor.sh $(BUILD)

docs:
	@scripts/install-deps.sh docs
	@mkdir -p $(BUILD)/docs
	@CLINCH_DOCS=$(BUILD)/docs doxygen docs/Doxyfile
	@echo "The API reference is $(BUILD)/docs/html/index.html"

install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD)

deps:
	@scripts/install-deps.sh build

deps-check:
	@scripts/install-deps.sh build check

deps-bench:
	@scripts/install-deps.sh build bench
