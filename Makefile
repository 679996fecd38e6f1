# Everything runs from here, in workspace mode. `make` alone explains itself.

MODULES  := core adapters apps
PACKAGES := $(MODULES:%=./%/...)

GOLANGCI_VERSION := v2.15.0
GOLANGCI         := .cache/bin/golangci-lint-$(GOLANGCI_VERSION)

AXE_VERSION := 4.14.1
AXE         := .cache/axe-$(AXE_VERSION).min.js

FUZZTIME ?= 10s
TIMEOUT  ?= 40m
ARGS     ?=

.DEFAULT_GOAL := help
.SUFFIXES:
.NOTPARALLEL:

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  Variables: ARGS (run, release, test, race, bench, chaos, console-check, walkthrough), FUZZTIME ($(FUZZTIME)), TIMEOUT ($(TIMEOUT))"

.PHONY: run
run: ## start a sandbox server with sample data
	go run ./apps/vitrine sandbox $(ARGS)

.PHONY: build
build: ## build the server into bin/vitrine
	CGO_ENABLED=0 go build -trimpath -o bin/vitrine ./apps/vitrine

.PHONY: release
release: ## build for every platform into dist/, with checksums and bills of materials
	@go run ./apps/internal/release -out dist $(ARGS)

.PHONY: tag
tag: ## tag a version of the three modules: make tag VERSION=v0.1.0
	@go run ./apps/internal/release -tag '$(VERSION)'

.PHONY: test
test: ## run every test, PostgreSQL included (a throw-away cluster)
	@scripts/with-postgres.sh go test -timeout $(TIMEOUT) $(ARGS) $(PACKAGES)

.PHONY: race
race: ## the same under the race detector (needs a C compiler)
	@CGO_ENABLED=1 scripts/with-postgres.sh go test -race -timeout $(TIMEOUT) $(ARGS) $(PACKAGES)

# The tests hold the generated pages against the code, and write nothing.
.PHONY: check
check: fmt-check vet lint-if-able standalone tidy-check libc-check test ## everything a change must pass

.PHONY: lint
lint: $(GOLANGCI) ## run golangci-lint (installs it into .cache/bin)
	$(GOLANGCI) run --config scripts/golangci.yml $(PACKAGES)

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@found=$$(go test -list '^Fuzz' $(PACKAGES)) || { echo "$$found"; exit 1; }; \
	echo "$$found" | awk '/^Fuzz/ { names[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, names[i]; n = 0 }' | \
	while read -r package target; do \
		echo "$$package $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" </dev/null || exit 1; \
	done

.PHONY: bench
bench: ## measure the server on SQLite and a durable PostgreSQL
	@scripts/with-postgres.sh --durable go run ./apps/internal/bench $(ARGS)

.PHONY: chaos
chaos: ## kill servers, crash PostgreSQL, say what was lost (about an hour)
	@env -u VITRINE_TEST_POSTGRES scripts/with-postgres.sh --durable go run ./apps/internal/chaos $(ARGS)

.PHONY: chaos-deps
chaos-deps: ## install from Debian what some proofs of chaos need; nothing is started
	@scripts/chaos-deps.sh

.PHONY: console-check
console-check: $(AXE) ## look at every page in Chromium, and draw the pictures of the docs
	@go run ./apps/internal/consolecheck -axe $(AXE) -pictures docs/pictures $(ARGS)

$(AXE):
	@mkdir -p .cache/axe
	cd .cache/axe && npm pack --silent axe-core@$(AXE_VERSION) && tar -xzf axe-core-$(AXE_VERSION).tgz
	@mv .cache/axe/package/axe.min.js $@ && rm -r .cache/axe

.PHONY: document-check
document-check: ## lint the API document, make clients of it and run them (needs Node)
	@scripts/document-check/check.sh

.PHONY: walkthrough
walkthrough: ## do what the pages say, as a newcomer, an operator and the author of a client; draw every page
	@go run ./apps/internal/walkthrough $(ARGS)
	@$(MAKE) --no-print-directory document-check console-check

.PHONY: golden
golden: ## write the generated reference pages and other golden files again
	VITRINE_UPDATE_GOLDEN=1 scripts/with-postgres.sh go test $(PACKAGES) -run 'Golden' -count=1

.PHONY: fmt
fmt: ## format the code
	gofmt -w $(MODULES)
	@if [ -x $(GOLANGCI) ]; then $(GOLANGCI) fmt --config scripts/golangci.yml $(MODULES); fi

.PHONY: pg
pg: ## start a throw-away PostgreSQL and keep it until Ctrl-C
	@env -u VITRINE_TEST_POSTGRES scripts/with-postgres.sh sh -c ' \
		trap "exit 0" INT TERM; \
		echo "export VITRINE_TEST_POSTGRES=\"$$VITRINE_TEST_POSTGRES\""; \
		echo "Ctrl-C ends it."; \
		while :; do sleep 3600 & wait $$!; done'

.PHONY: tidy-check
tidy-check: ## fail if a go.mod is not tidy
	@for module in $(MODULES); do \
		echo "$$module: go mod tidy -diff"; \
		(cd $$module && go mod tidy -diff) || exit 1; \
	done

# The parts of `check` that are rarely wanted alone.

.PHONY: fmt-check
fmt-check:
	@diff=$$(gofmt -d $(MODULES)) && [ -z "$$diff" ] || { echo "$$diff"; echo "not formatted: run make fmt"; exit 1; }

.PHONY: vet
vet:
	go vet $(PACKAGES)

# Without a network the linter may be out of reach: say so and go on.
.PHONY: lint-if-able
lint-if-able:
	@if [ -x $(GOLANGCI) ] || $(MAKE) --no-print-directory $(GOLANGCI); then \
		$(MAKE) --no-print-directory lint; \
	else \
		echo "lint SKIPPED: golangci-lint $(GOLANGCI_VERSION) could not be installed"; \
	fi

$(GOLANGCI):
	@mkdir -p .cache/bin
	GOWORK=off GOBIN=$(CURDIR)/.cache/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv .cache/bin/golangci-lint $@

# Each module must build for those who require it alone.
.PHONY: standalone
standalone:
	@for module in $(MODULES); do \
		echo "$$module: GOWORK=off go build ./..."; \
		(cd $$module && GOWORK=off go build -o /dev/null ./...) || exit 1; \
	done

# modernc.org/sqlite is translated C: it runs on exactly the libc it was translated with.
.PHONY: libc-check
libc-check:
	@gomod=$$(go list -m -f '{{.GoMod}}' modernc.org/sqlite) || exit 1; \
	wanted=$$(awk '$$1 == "modernc.org/libc" { print $$2 } $$2 == "modernc.org/libc" { print $$3 }' "$$gomod"); \
	chosen=$$(go list -m -f '{{.Version}}' modernc.org/libc) || exit 1; \
	[ "$$wanted" = "$$chosen" ] || { echo "modernc.org/sqlite needs modernc.org/libc $$wanted, the workspace has $$chosen"; exit 1; }
