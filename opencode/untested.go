package opencode

import (
	"log/slog"
	"sync"

	"hermes/internal/recent"
	"hermes/opencode/release"
)

// maxUntested bounds the versions that are remembered: a plugin may name any.
const maxUntested = 100

// untested warns of OpenCodes that hermes is not tested with, once for each version. It is
// safe for concurrent use.
type untested struct {
	log *slog.Logger

	mu     sync.Mutex
	warned *recent.Map[string, bool]
}

func newUntested(log *slog.Logger) *untested {
	return &untested{log: log, warned: recent.New[string, bool](maxUntested)}
}

// hear is given the version of an OpenCode that connects; empty: it is not known.
func (u *untested) hear(version, host string) {
	if version == "" || release.Tested(version) || !u.isNews(version) {
		return
	}
	u.log.Warn("an OpenCode is of a version that hermes is not tested with; hermes works with it as far as it can",
		"version", version, "host", host, "why", "it "+release.Outside(version))
}

func (u *untested) isNews(version string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, known := u.warned.Peek(version)
	u.warned.Add(version, true)
	return !known
}
