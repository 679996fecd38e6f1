# Everything runs from here, in workspace mode. `make` alone explains itself.

MODULES  := core adapters adapters/client apps
PACKAGES := $(MODULES:%=./%/...)

GOLANGCI_VERSION := v2.15.0
GOLANGCI         := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/vitrine/bin/golangci-lint-$(GOLANGCI_VERSION)

AXE_VERSION := 4.14.1
AXE         := .cache/axe-$(AXE_VERSION).min.js

FUZZTIME ?= 10s
TIMEOUT  ?= 40m
ARGS     ?=

# One way to build for everything, so that what was compiled once, in any clone, is not compiled
# again. Only the race detector needs C.
export GOFLAGS     := $(filter-out -trimpath,$(GOFLAGS)) -trimpath
export CGO_ENABLED := 0

# Tests trade memory for time, up to a bound.
CLUSTER := go run ./apps/internal/cluster
TEST    := env GOGC=400 GOMEMLIMIT=3GiB go test -timeout $(TIMEOUT)

# What developers use is tested by `make check`, and what compiles clones comes last.
TOOLS  := bench|chaos|consolecheck|mutants
CLONES := release|walkthrough
under   = $$(go list $(PACKAGES) | grep -E $(2) '/apps/internal/($(1))(/|$$)')

# The tests of the server, with more arguments for go test.
SERVER_TESTS = $(CLUSTER) $(TEST) $(1) $(ARGS) $(call under,$(TOOLS)|$(CLONES),-v)

.DEFAULT_GOAL := help
.SUFFIXES:
.NOTPARALLEL:

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  Variables: ARGS (run, release, test, race, bench, chaos, console-check, walkthrough), FUZZTIME ($(FUZZTIME)), TIMEOUT ($(TIMEOUT))"

.PHONY: run
run: build ## start a sandbox server with sample data
	@bin/vitrine sandbox $(ARGS)

.PHONY: site
site: ## start a sandbox, and beside it a website of its listings at http://127.0.0.1:8090
	@echo "compiling both programs: some minutes the first time, seconds after that"
	@go build -o bin/vitrine ./apps/vitrine && go build -o bin/vitrine-mirror ./apps/vitrine-mirror
	@! bin/vitrine health >/dev/null 2>&1 || { echo "another server runs at this address: stop the other first"; exit 1; }
	@rm -rf bin/vitrine-mirror.db*
	@bin/vitrine sandbox --log-level=warn $(ARGS) & sandbox=$$!; trap 'kill $$sandbox 2>/dev/null; wait $$sandbox' EXIT INT TERM; \
	until bin/vitrine health >/dev/null 2>&1; do kill -0 $$sandbox 2>/dev/null || exit 1; sleep 0.2; done; \
	bin/vitrine-mirror serve --url http://127.0.0.1:8080 --site 1 --client-id sandbox-website --client-secret sandbox-website-secret \
		--public-url http://127.0.0.1:8090 --allow-http --database bin/vitrine-mirror.db

.PHONY: build
build: ## build the server into bin/vitrine
	@echo "compiling bin/vitrine: some minutes the first time, seconds after that"
	@go build -o bin/vitrine ./apps/vitrine

.PHONY: release
release: ## build for every platform into dist/, with checksums and bills of materials
	@go run ./apps/internal/release -out dist $(ARGS)

.PHONY: tag
tag: ## tag a version of the modules: make tag VERSION=v0.1.0
	@go run ./apps/internal/release -tag '$(VERSION)'

.PHONY: test
test: ## run the tests of the server, PostgreSQL included (a throw-away cluster)
	@$(SERVER_TESTS)

# The tests hold the generated pages against the code, and write nothing. A red test of the server is told first.
.PHONY: check
check: fmt-check vet lint-if-able standalone tidy-check libc-check ## everything a change must pass
	@VITRINE_EVERY_STORE=1 $(call SERVER_TESTS,-vet=off -count=1)
	@$(TEST) -vet=off -count=1 $(ARGS) $(call under,$(TOOLS))
	@$(TEST) -vet=off -count=1 $(ARGS) $(call under,$(CLONES))

.PHONY: proof
proof: export VITRINE_EVERY_STORE := 1
proof: ## look further, each time in another order, for about an hour: each night, and before a tag
	@RAPID_CHECKS=1000 VITRINE_PROOF=1 $(call SERVER_TESTS,-count=1 -shuffle=on)
	@for again in 2 3; do $(call SERVER_TESTS,-count=1 -shuffle=on) || exit 1; done
	@$(CLUSTER) $(TEST) -count=1 -run '^Test(D15|H5)_' ./apps/e2e -requests 20000
	@$(CLUSTER) go run ./apps/internal/mutants
	@VITRINE_PROOF=1 $(TEST) -count=1 -run '^Test(Tagged|TheEmbedder)' ./apps/internal/release ./apps/internal/walkthrough
	@$(MAKE) --no-print-directory race fuzz
	@$(MAKE) --no-print-directory chaos ARGS=-short

.PHONY: race
race: ## every test under the race detector (needs a C compiler)
	@$(CLUSTER) env CGO_ENABLED=1 $(TEST) -race $(ARGS) $(PACKAGES)

.PHONY: lint
lint: $(GOLANGCI) ## run golangci-lint (installs it into ~/.cache/vitrine/bin)
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
	@$(CLUSTER) -durable go run ./apps/internal/bench $(ARGS)
	@go test -run '^$$' -bench . -benchtime 200x ./apps/vitrine-mirror

.PHONY: chaos
chaos: ## kill servers, crash PostgreSQL, say what was lost (about an hour)
	@env -u VITRINE_TEST_POSTGRES $(CLUSTER) -durable go run ./apps/internal/chaos $(ARGS)

.PHONY: chaos-mirror
chaos-mirror: ## lose, double and delay deliveries, kill a mirror and its server, say what is wrong (minutes)
	@VITRINE_CHAOS_WRITES=5000 VITRINE_CHAOS_KILLS=20 $(TEST) -count=1 -v -run '^TestMirrored_TheCopyIsTrue' -timeout 60m ./apps/vitrine-mirror

.PHONY: chaos-deps
chaos-deps: ## install from Debian what some proofs of chaos need; nothing is started
	@scripts/chaos-deps.sh

.PHONY: console-check
console-check: $(AXE) ## look at every page in Chromium, and draw the pictures of the docs
	@go run ./apps/internal/consolecheck -axe $(AXE) -pictures docs/pictures $(ARGS)

.PHONY: mirror-check
mirror-check: $(AXE) ## look at every page of the website in Chromium, on a slow phone too, and draw its pictures
	@go run ./apps/internal/mirrorcheck -axe $(AXE) -pictures docs/pictures $(ARGS)

$(AXE):
	@mkdir -p .cache/axe
	cd .cache/axe && npm pack --silent axe-core@$(AXE_VERSION) && tar -xzf axe-core-$(AXE_VERSION).tgz
	@mv .cache/axe/package/axe.min.js $@ && rm -r .cache/axe

OAPI_CODEGEN := github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
CLIENT_FROM  := oapi.yaml overlay.yaml method.tmpl all.tmpl ../../../docs/reference/openapi.json
.PHONY: clients
clients: ## make the clients of the API document again (needs Node)
	@cd adapters/client/generate && GOWORK=off go run $(OAPI_CODEGEN) -config oapi.yaml -o ../api.gen.go ../../../docs/reference/openapi.json
	@cd adapters/client/generate && echo "\n// Made of $$(cat $(CLIENT_FROM) | sha256sum | cut -c1-64)." >> ../api.gen.go
	@mkdir -p .cache/clients && cp $(addprefix adapters/client/typescript/,package.json package-lock.json generate.mjs) .cache/clients
	@cd .cache/clients && npm ci --silent --no-audit --no-fund --prefer-offline && node generate.mjs ../../docs/reference/openapi.json ../../adapters/client/typescript/src

.PHONY: document-check
document-check: ## lint the API document, test the client in TypeScript and run both (needs Node)
	@scripts/document-check/check.sh

.PHONY: walkthrough
walkthrough: ## do what the pages say, as a newcomer, an operator, an embedder and the author of a client; draw every page
	@go run ./apps/internal/walkthrough $(ARGS)
	@$(MAKE) --no-print-directory document-check console-check mirror-check

.PHONY: golden
golden: ## write the generated reference pages and other golden files again
	VITRINE_UPDATE_GOLDEN=1 $(CLUSTER) go test $(PACKAGES) -run 'Golden' -count=1

.PHONY: fmt
fmt: ## format the code
	gofmt -w $(MODULES)
	@if [ -x $(GOLANGCI) ]; then $(GOLANGCI) fmt --config scripts/golangci.yml $(MODULES); fi

.PHONY: pg
pg: ## start a throw-away PostgreSQL and keep it until Ctrl-C
	@$(CLUSTER)

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
	@mkdir -p $(@D)
	GOWORK=off GOBIN=$(@D) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv $(@D)/golangci-lint $@

# Each module must compile for those who require it alone. Programs are not linked: that takes 20 s.
.PHONY: standalone
standalone:
	@for module in $(MODULES); do \
		echo "$$module: GOWORK=off go list -export ./..."; \
		(cd $$module && GOWORK=off go list -export ./... >/dev/null) || exit 1; \
	done

# modernc.org/sqlite is translated C: it runs on exactly the libc it was translated with.
.PHONY: libc-check
libc-check:
	@gomod=$$(go list -m -f '{{.GoMod}}' modernc.org/sqlite) || exit 1; \
	wanted=$$(awk '$$1 == "modernc.org/libc" { print $$2 } $$2 == "modernc.org/libc" { print $$3 }' "$$gomod"); \
	chosen=$$(go list -m -f '{{.Version}}' modernc.org/libc) || exit 1; \
	[ "$$wanted" = "$$chosen" ] || { echo "modernc.org/sqlite needs modernc.org/libc $$wanted, the workspace has $$chosen"; exit 1; }
