# .ci/run, which every change has to pass, makes lint, unit, postgres, browser, release-check, race, e2e and build. Tools are pinned and built from source.
# With TESTS=full in the environment unit, e2e and postgres play whole what they play a sample of otherwise.
GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
TAGS        = e2e,browser,packages,postgres
OUT         = hermes

.PHONY: test lint unit e2e race matrix postgres browser build release-check
test: lint unit e2e # eight minutes: everything once, of long tables a sample
lint:
	@files=$$(go run $(GOFUMPT) -l $$(go list -tags $(TAGS) -f '{{.Dir}}' ./...)) && test -z "$$files" || { echo "gofumpt -w these files:"; echo "$$files" | sort -u; exit 1; }
	go vet -tags $(TAGS) ./...
	go run $(STATICCHECK) -tags $(TAGS) ./...
	go mod tidy -diff
unit: # needs go, git, node, npm and tmux
	go test -shuffle=on -parallel 8 -timeout 30m ./...
e2e: # the newest OpenCode; in full every version by every way in
	go test -tags e2e -count=1 -timeout 60m -parallel 4 ./e2e/...
race: # needs cc
	.ci/race -shuffle=on -parallel 6 -timeout 20m
matrix: race # by hand before a release, for as long as a lunch takes
	TESTS=full $(MAKE) unit e2e postgres build
postgres: # needs a PostgreSQL: the store in it, and two hermes of which one acts
	go test -tags postgres -count=1 -timeout 10m ./pending/postgres/... ./internal/database
	go test -tags postgres -count=1 -timeout 10m -run 'TestStandby|TestRestore_FromTheFile' ./cmd/hermes
	go test -tags e2e,postgres -count=1 -timeout 30m -run 'TestTakeover|TestStoreGone' ./e2e
browser: # needs chromium: the page of hermes try; its picture: go test -tags browser -run TestScreenshot ./internal/demo -update
	go test -tags browser -count=1 -timeout 20m -run 'TestPage|TestScreenshot' ./internal/demo
build: # one static file, the one that the tests start and a release ships
	CGO_ENABLED=0 go build -trimpath -ldflags="-s -w $(LDFLAGS)" -o $(OUT) ./cmd/hermes
release-check: # what a release makes, played with from a bare Debian; as root, with what .ci/run installs
	.ci/release-check
