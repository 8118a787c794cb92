# .ci/run, which every change has to pass, makes lint, unit, test-postgres, test-browser, release-check, race, e2e-full and build. Tools are pinned and built from source.
GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.8.0
MODULE     := $(shell sed -n 's/^module //p' go.mod)
OUT         = hermes
LIMIT       = 18200000
HOT         = runtime/... internal/... sync/... encoding/json reflect strconv unicode/utf8 bytes strings go.etcd.io/bbolt/...

# parts makes one target after the other, and says at the end how long each took.
parts = @for part in $(1); do start=$$(date +%s); $(MAKE) --no-print-directory $$part || exit; took="$$took $$part $$(($$(date +%s) - start)) s,"; done; echo "$@:$${took%,}"

.PHONY: test matrix test-postgres test-browser tools lint unit e2e race unit-full e2e-full postgres-full versions soak bench figures fire takeovers build cross packages release-check address site vuln
test: # five minutes: everything once, of long tables a sample
	$(call parts,lint unit e2e)
matrix: # what test leaves out, for as long as a lunch takes: by hand before a release, as .ci/run leaves out unit-full and postgres-full
	$(call parts,race unit-full e2e-full postgres-full build)
test-postgres: tools # what needs a PostgreSQL: the store in it, and two hermes of which one acts; .ci/run installs it on Debian
	go test -tags postgres -count=1 -timeout 10m ./pending/postgres/...
	go test -tags e2e,postgres -count=1 -timeout 30m -run 'TestNetwork|TestTakeover|TestStoreGone' ./e2e
test-browser: # the page of hermes try; its picture: go test -tags browser -run TestScreenshot ./internal/demo -update
	@command -v chromium >/dev/null || { echo "chromium is missing: the page is tested in it; .ci/run installs it on Debian"; exit 1; }
	go test -tags browser -count=1 -p 1 -timeout 20m -run 'TestPage|TestScreenshot' ./internal/demo ./internal/tools/site
tools:
	@for t in go cc git node npm tmux; do command -v $$t >/dev/null || { echo "$$t is missing: the tests need go, cc (for -race), git, node, npm and tmux; .ci/run installs all but go on Debian"; exit 1; }; done
lint: tools
	@files=$$(go run $(GOFUMPT) -l $$(go list -tags e2e,browser,packages,postgres -f '{{.Dir}}' ./...)) && test -z "$$files" || { echo "gofumpt -w these files:"; echo "$$files" | sort -u; exit 1; }
	go vet -tags e2e,browser,packages,postgres ./...
	go run $(STATICCHECK) -tags e2e,browser,packages,postgres ./...
	go mod tidy -diff
unit: tools
	go test -shuffle=on -parallel 8 -timeout 10m ./...
e2e: tools # the spine with the newest OpenCode; nothing skips that it needs
	go test -tags e2e -count=1 -timeout 20m -parallel 4 ./e2e/...
race: tools
	.ci/race -shuffle=on -parallel 6 -timeout 20m
unit-full: tools # ten thousand random sequences, a kill at every step, sixty days, and thirty at five hundred asks
	TESTS=full go test -shuffle=on -parallel 8 -timeout 30m ./...
e2e-full: tools # every version of OpenCode by every way in, and the alerts with promtool
	TESTS=full go test -tags e2e -count=1 -timeout 60m -parallel 4 ./e2e/... ./deploy/...
postgres-full: tools # four times as many takeovers
	TESTS=full go test -tags e2e,postgres -count=1 -timeout 30m -run TestTakeover ./e2e
versions: tools # the same, and README.md's table of versions from what was played
	TESTS=full go test -tags e2e -count=1 -timeout 60m -parallel 4 ./e2e -update
soak: # other sequences than the last time, for as long as a coffee takes
	go test -count=1 -timeout 1h -run TestRandomSequences ./bridge -sequences 100000 -seed 0
bench:
	go test -run '^$$' -bench . -benchmem ./...
	go test -tags e2e -run '^$$' -bench . -benchtime 12x -timeout 30m ./e2e # beside the real OpenCode, for ten minutes
figures: tools # the first table of docs/benchmarks.md, for five minutes
	@{ go test -run '^$$' -bench Process -benchtime 1x -count 3 ./cmd/hermes; go test -run '^$$' -bench Question -benchtime 8x -count 2 ./internal/daemon; \
	go test -run '^$$' -bench Hub -benchtime 1x ./cmd/hermes; } 2>&1 | go run ./internal/tools/figures docs/benchmarks.md
fire: tools # an hour of kill -9 with the newest OpenCode and one with its stand-in; FIRE=2m to try it, FIRE_SEED=n as it was
	@FIRE=$${FIRE:-1h} go test -tags e2e -run '^$$' -bench Fire -benchtime 1x -timeout 6h ./e2e 2>&1 | go run ./internal/tools/figures docs/benchmarks.md
takeovers: tools # the hermes that acts is lost 200 times, for an hour; TAKEOVERS=20 to try it, TAKEOVER_SEED=n as it was
	@{ go test -tags e2e,postgres -run '^$$' -bench Takeover -benchtime 1x -timeout 6h ./e2e; go test -tags postgres -run '^$$' -bench 'Question(Shared)?$$/open=0$$' -benchtime 8x -count 2 ./internal/daemon; \
	go test -tags postgres -run '^$$' -bench 'Process(Shared)?$$/open=0$$' -benchtime 1x -count 3 ./cmd/hermes; } 2>&1 | go run ./internal/tools/figures docs/benchmarks.md
build: # one static file: docs/design/size.md says what it leaves out, and why functions are copied into others only where HOT names the package
	CGO_ENABLED=0 go build -trimpath -tags nethttpomithttp2 -gcflags=all=-l $(HOT:%=-gcflags=%=) -ldflags="-s -w -funcalign=8 $(LDFLAGS)" -o $(OUT) ./cmd/hermes
	@test $$(wc -c <$(OUT)) -lt $(LIMIT) || { echo "$(OUT) is over $(LIMIT) bytes"; exit 1; }
cross: # for every system that there are releases for, into dist
	.ci/cross
packages: # for Debian and Fedora, into dist: make packages VERSION=1.2.3
	.ci/packages amd64 arm64 arm7
release-check: # what a release makes, played with from a bare Debian; as root, with what .ci/run installs
	.ci/release-check
address: # the module's path, and all that follows from it: make address ADDRESS=github.com/OWNER/NAME
	.ci/address "$(ADDRESS)"
site: # the documents as a static site, in the folder site
	go run ./internal/tools/site -o site
vuln: # apart from test, because it must reach the vulnerability database
	go run $(GOVULNCHECK) ./...
