# Everything needs only Python 3.11 and make. `make` alone tells what there is.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PACKAGES := domain projections services
# Tests wait for disks, browsers and other programs: one more at a time than there are cores.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.DEFAULT_GOAL := help
.PHONY: help run demo test timings check check-types check-style check-generated types wire console sprites packages gallery pictures format bench bots-bench soak lock sbom clean

help: ## What there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

run: .venv/run ## Start the service on ./data
	@$(BIN)/emeth serve

demo: .venv/run ## Watch two clients play a whole game over gRPC (GAME=agog)
	@$(BIN)/emeth demo $(GAME)

# Tests that failed, and nothing worse: with AGAIN=1 they are tried once more, and named either way.
ONCE_MORE = { [ $$? -eq 1 ] && $(BIN)/pytest --last-failed --last-failed-no-failures none -rfEp; }

test: check ## Every check and every test
	PYTEST_XDIST_AUTO_NUM_WORKERS=$(WORKERS) $(BIN)/pytest -n auto --dist worksteal $(if $(AGAIN),|| $(ONCE_MORE))

timings: .venv/dev web/node_modules/.installed ## What is promised in milliseconds, on a quiet machine (not in `make test`)
	$(BIN)/pytest tests/timings

check: .venv/dev web/node_modules/.installed ## Lint, spelling, types, import arrows, proto style, generated code
	@$(MAKE) --no-print-directory -j 3 check-types check-style check-generated

check-types:
	$(BIN)/mypy

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code --exclude-path proto/buf --exclude-path proto/google
	$(BIN)/python .ci/lint-api
	$(BIN)/python .ci/words
	$(BIN)/python .ci/check-docstrings $(PACKAGES) bench .ci
	git ls-files -z | xargs -0 $(BIN)/codespell

check-generated:
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python .ci/generate-wire --check
	$(BIN)/python .ci/write-api-reference --check
	$(BIN)/python .ci/build-sprites --check
	$(BIN)/python .ci/build-console --check

wire: .venv/dev ## Generate services/wire/ and docs/api/ from proto/
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python .ci/generate-wire
	$(BIN)/python .ci/write-api-reference

console: .venv/dev web/node_modules/.installed ## Build services/console/ from web/
	$(BIN)/python .ci/build-console

sprites: .venv/dev web/node_modules/.installed ## Collect the icons that the games' themes name
	$(BIN)/python .ci/build-sprites

packages: .venv/dev web/node_modules/.installed ## Build the npm packages of web/ into build/npm/
	$(BIN)/python .ci/build-packages build/npm

gallery: .venv/dev ## Draw docs/gallery.md
	$(BIN)/python .ci/draw-gallery

pictures: .venv/dev web/node_modules/.installed ## Take the pictures of docs/pages.md with a browser
	$(BIN)/python .ci/picture-pages

format: .venv/dev ## Format code and proto files
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/buf format -w --exclude-path proto/buf --exclude-path proto/google

bench: .venv/dev ## Measure: figures beside floors and peers of the same run, into docs/performance.md (ONLY=NAME SHORT=1)
	$(BIN)/python bench/table.py $(if $(ONLY),--only $(ONLY)) $(if $(SHORT),--short)
	$(BIN)/python .ci/write-performance

bots-bench: .venv/dev ## Play the levels of bots against each other, and write docs/bots.md (it goes on where it stopped)
	nice -n 19 $(BIN)/python bench/bots.py --processes $(or $(PROCESSES),1)
	$(BIN)/python bench/bots.py --write

soak: .venv/dev ## Every fault for long, each for as many seconds (SECONDS=600 SOAKS="power-cuts replicas")
	$(BIN)/python .ci/soak $(SOAKS) --seconds $(or $(SECONDS),600)

lock: .venv/dev ## Renew the pins of the dependencies in pyproject.toml
	$(BIN)/uv pip compile -q --generate-hashes --universal --python-version 3.11 --no-header \
	  --group build pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q --generate-hashes --universal --python-version 3.11 --no-header \
	  -c requirements.txt --group build --group dev pyproject.toml -o requirements-dev.txt
	cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm install --package-lock-only --silent
	$(BIN)/python .ci/trim-npm-lock

sbom: .venv/dev ## Write build/sbom.json: what the service is made of, with hashes
	@mkdir -p build
	$(BIN)/uv tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements.txt \
	  --of JSON -o build/sbom.json

clean: ## Remove the environment and all caches (not ./data)
	rm -rf .venv build web/node_modules web/client/wire .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Node comes as a package of the environment, and its packages lie in web/: both for the workshop alone.
web/node_modules/.installed: .venv/dev web/package-lock.json
	cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent && "$(CURDIR)/$(BIN)/buf" generate
	@touch $@

# The environment: one for all, the service's dependencies first, the workshop's when asked for.
.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Emeth needs Python 3.11")'
	$(PYTHON) -m venv .venv

.venv/run: .venv/bin/python requirements.txt pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q $(PACKAGES)
	@touch $@

.venv/dev: .venv/run requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@
