# CI calls `make test` and `make test-browser`. Tools are pinned and built from source.
GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.8.0

.PHONY: test test-browser tools lint unit model soak e2e matrix bench build vuln
test: lint unit model e2e
test-browser: # the page of hermes try; its picture: go test -tags browser -run TestScreenshot ./internal/demo -update
	@command -v chromium >/dev/null || { echo "chromium is missing: the page is tested in it; .ci/run installs it on Debian"; exit 1; }
	go test -tags browser -count=1 -timeout 10m -run 'TestPage|TestScreenshot' ./internal/demo
tools:
	@for t in go cc node npm tmux; do command -v $$t >/dev/null || { echo "$$t is missing: the tests need go, cc (for -race), node, npm and tmux; .ci/run installs all but go on Debian"; exit 1; }; done
lint: tools
	@files=$$(go run $(GOFUMPT) -l $$(go list -tags e2e,browser -f '{{.Dir}}' ./...)) && test -z "$$files" || { echo "gofumpt -w these files:"; echo "$$files" | sort -u; exit 1; }
	go vet -tags e2e,browser ./...
	go run $(STATICCHECK) -tags e2e,browser ./...
	go mod tidy -diff
unit: tools
	go test -race -shuffle=on -parallel 6 -timeout 20m ./...
model: # ten thousand random sequences, a kill at every step, and streams; the race detector has seen some of them in unit
	@go test -count=1 -run TestRandomSequences ./bridge -sequences 10000 & sequences=$$!; \
	go test -count=1 -timeout 20m -run 'Killed|TenMinutes|NoCopy|ACopyIsFound|SixtyDays' ./cmd/hermes ./internal/daemon ./telegram; kills=$$?; \
	wait $$sequences && exit $$kills
soak: # others than the last time, for as long as a coffee takes
	go test -count=1 -timeout 1h -run TestRandomSequences ./bridge -sequences 100000 -seed 0
e2e: tools # the real OpenCode binaries; nothing skips
	go test -tags e2e -count=1 -timeout 45m -parallel 4 ./e2e/...
matrix: tools # the same with every version and every way in, for as long as a lunch takes
	go test -tags e2e -count=1 -timeout 90m -parallel 4 ./e2e/... -matrix
bench:
	go test -run '^$$' -bench . -benchmem ./...
build: # one static file, under 20 MB
	CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o hermes ./cmd/hermes
	@test $$(wc -c <hermes) -lt 20000000 || { echo "hermes is over 20 MB"; exit 1; }
vuln: # apart from test, because it must reach the vulnerability database
	go run $(GOVULNCHECK) ./...
