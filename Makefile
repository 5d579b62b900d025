# Every target is one line to its tool. `make demo` and `make test` need nothing but a clone.
.PHONY: help setup install demo test check lint document bench clean

help:
	@echo "make demo      set up what is needed, train the DCGAN on digits from R, leave dcgan.png"
	@echo "make test      set up what is needed, run every test of both faces and R CMD check"
	@echo "make lint      ruff, mypy, import-linter, lintr, man pages up to date"
	@echo "make setup     only the set-up: R and its packages, the package itself, its Python"
	@echo "make document  write NAMESPACE and man/ anew from the sources"
	@echo "make bench     measure against peers and write benchmarks/RESULTS.md"
	@echo "make clean     remove what the other targets made inside this folder"

setup:
	@sh tools/setup.sh

install:
	@sh tools/setup.sh install

demo: setup
	@Rscript --vanilla inst/examples/dcgan.R

test: setup
	@sh tools/venvs.sh
	@sh tools/test.sh

check:
	@sh tools/test.sh check

lint: setup
	@sh tools/venvs.sh
	@sh tools/lint.sh

document:
	@Rscript --vanilla tools/document.R

bench:
	@sh tools/venvs.sh
	@.venv/numpy2/bin/python benchmarks/run.py

clean:
	rm -rf .venv check build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
