package opencode

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"hermes/internal/session"
	v1 "hermes/opencode/v1"
)

// discoverSessions bounds how many sessions are looked into for a question that
// was asked while hermes was down.
const discoverSessions = 50

// usedWithin bounds how long ago such a session may have been used.
const usedWithin = 7 * 24 * time.Hour

// discoverDirectories finds the directories in which a question may have waited since before
// hermes connected. No route lists live instances, and a call with a directory
// starts an instance there, plugins and all; so it looks at recent sessions
// through as few instances as it can, and names only directories in which a question
// call never ended.
func (c *Client) discoverDirectories(ctx context.Context) []string {
	own := c.forDirectory("")
	limit := url.Values{"limit": {strconv.Itoa(discoverSessions)}}
	var list []v1.SessionInfo
	if own.Endpoint.Get(ctx, "all sessions", "/experimental/session", limit, &list) == nil {
		return own.askingDirectories(ctx, list) // 1.2.12 and later: sessions are global
	}
	var found []string
	for _, worktree := range own.worktrees(ctx) {
		there := c.forDirectory(worktree)
		limit.Set("directory", worktree)
		var list []v1.SessionInfo
		if there.Endpoint.Get(ctx, "sessions", "/session", limit, &list) == nil {
			found = append(found, there.askingDirectories(ctx, list)...)
		}
	}
	return found
}

// askingDirectories names the directories of recent sessions in which a call never ended.
func (c *Client) askingDirectories(ctx context.Context, list []v1.SessionInfo) []string {
	var found []string
	for _, s := range list {
		if time.Since(time.UnixMilli(int64(s.Time.Updated))) < usedWithin && c.hasOpenCall(ctx, s) {
			found = append(found, s.Directory)
		}
	}
	return found
}

// worktrees are the folders of the projects used of late. The one that gathers
// everything outside of repositories is "/", which must not become an instance.
func (c *Client) worktrees(ctx context.Context) []string {
	var projects []struct {
		Worktree string `json:"worktree"`
		Time     struct {
			Updated float64 `json:"updated"`
		} `json:"time"`
	}
	_ = c.Endpoint.Get(ctx, "projects", "/project", nil, &projects) // none found is all that follows
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
func (c *Client) hasOpenCall(ctx context.Context, s v1.SessionInfo) bool {
	list, err := c.Sessions.LastMessages(ctx, session.ID(s.ID))
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

// ownDirectory finds the directory of the server's own instance.
func (c *Client) ownDirectory(ctx context.Context) (string, error) {
	var path struct {
		Directory string `json:"directory"`
	}
	err := c.Endpoint.Get(ctx, "path", "/path", nil, &path)
	return path.Directory, err
}
