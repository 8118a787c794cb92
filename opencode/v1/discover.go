package v1

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"hermes/internal/session"
)

// discoverSessions bounds how many sessions are looked into for a question that
// was asked while hermes was down.
const discoverSessions = 50

// usedWithin bounds how long ago such a session may have been used.
const usedWithin = 7 * 24 * time.Hour

// AskingDirectories finds the directories in which a question may have waited since before
// hermes connected. No route lists live instances, and a call with a directory
// starts an instance there, plugins and all; so it looks at recent sessions
// through as few instances as it can, and names only directories in which a question
// call never ended.
func (d *Driver) AskingDirectories(ctx context.Context) []string {
	own := d.elsewhere("")
	limit := url.Values{"limit": {strconv.Itoa(discoverSessions)}}
	var list []SessionInfo
	if own.Endpoint.Get(ctx, "all sessions", "/experimental/session", limit, &list) == nil {
		return own.askingIn(ctx, list) // 1.2.12 and later: sessions are global
	}
	var found []string
	for _, worktree := range own.worktrees(ctx) {
		there := d.elsewhere(worktree)
		limit.Set("directory", worktree)
		var list []SessionInfo
		if there.Endpoint.Get(ctx, "sessions", "/session", limit, &list) == nil {
			found = append(found, there.askingIn(ctx, list)...)
		}
	}
	return found
}

// askingIn names the directories of recent sessions in which a call never ended.
func (d *Driver) askingIn(ctx context.Context, list []SessionInfo) []string {
	var found []string
	for _, s := range list {
		if time.Since(time.UnixMilli(int64(s.Time.Updated))) < usedWithin && d.hasOpenCall(ctx, s) {
			found = append(found, s.Directory)
		}
	}
	return found
}

// elsewhere is the driver for another directory.
func (d *Driver) elsewhere(directory string) *Driver {
	e := *d.Endpoint
	e.Directory = directory
	return d.In(&e)
}

// worktrees are the folders of the projects used of late. The one that gathers
// everything outside of repositories is "/", which must not become an instance.
func (d *Driver) worktrees(ctx context.Context) []string {
	var projects []struct {
		Worktree string `json:"worktree"`
		Time     struct {
			Updated float64 `json:"updated"`
		} `json:"time"`
	}
	_ = d.Endpoint.Get(ctx, "projects", "/project", nil, &projects) // none found is all that follows
	var list []string
	for _, p := range projects {
		if p.Worktree != "/" && time.Since(time.UnixMilli(int64(p.Time.Updated))) < usedWithin {
			list = append(list, p.Worktree)
		}
	}
	return list
}

// hasOpenCall reports whether one of the session's last messages has a tool call
// that never ended.
func (d *Driver) hasOpenCall(ctx context.Context, s SessionInfo) bool {
	list, err := d.LastMessages(ctx, session.ID(s.ID))
	if err != nil {
		return false
	}
	for _, m := range list {
		for _, p := range m.Parts {
			if p.IsCall() && (p.State.Status == "running" || p.State.Status == "pending") {
				return true
			}
		}
	}
	return false
}

// OwnDirectory finds the directory of the server's own instance.
func (d *Driver) OwnDirectory(ctx context.Context) (string, error) {
	var path struct {
		Directory string `json:"directory"`
	}
	err := d.Endpoint.Get(ctx, "path", "/path", nil, &path)
	return path.Directory, err
}
