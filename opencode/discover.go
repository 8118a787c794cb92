package opencode

import (
	"context"
	"net/url"
	"strconv"
	"time"
)

// discoverSessions bounds how many sessions are looked into for a question that
// was asked while hermes was down.
const discoverSessions = 50

// usedWithin bounds how long ago such a session may have been used.
const usedWithin = 7 * 24 * time.Hour

// discover finds the directories in which a question may have waited since before
// hermes connected. No route lists live instances, and a call with a directory
// starts an instance there, plugins and all; so it looks at recent sessions
// through as few instances as it can, and names only directories in which a question
// call never ended.
func (c *Client) discover(ctx context.Context) []string {
	own := *c
	own.Directory = ""
	limit := url.Values{"limit": {strconv.Itoa(discoverSessions)}}
	var list []wireSession
	if own.get(ctx, "all sessions", "/experimental/session", limit, &list) == nil {
		return own.asking(ctx, list) // 1.2.12 and later: sessions are global
	}
	var found []string
	for _, worktree := range own.worktrees(ctx) {
		there := own
		there.Directory = worktree
		limit.Set("directory", worktree)
		var list []wireSession
		if there.get(ctx, "sessions", "/session", limit, &list) == nil {
			found = append(found, there.asking(ctx, list)...)
		}
	}
	return found
}

// asking names the directories of recent sessions in which a call never ended.
func (c *Client) asking(ctx context.Context, list []wireSession) []string {
	var found []string
	for _, s := range list {
		if time.Since(time.UnixMilli(int64(s.Time.Updated))) < usedWithin && c.unfinished(ctx, s) {
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
	_ = c.get(ctx, "projects", "/project", nil, &projects) // none found is all that follows
	var list []string
	for _, p := range projects {
		if p.Worktree != "/" && time.Since(time.UnixMilli(int64(p.Time.Updated))) < usedWithin {
			list = append(list, p.Worktree)
		}
	}
	return list
}

// unfinished reports whether one of the session's last messages has a tool call
// that never ended.
func (c *Client) unfinished(ctx context.Context, s wireSession) bool {
	list, err := c.lastMessages(ctx, "/session/"+url.PathEscape(s.ID)+"/message")
	if err != nil {
		return false
	}
	for _, m := range list {
		for _, p := range m.Parts {
			if p.Type == "tool" && (p.State.Status == "running" || p.State.Status == "pending") {
				return true
			}
		}
	}
	return false
}

// own finds the directory of the server's own instance.
func (c *Client) own(ctx context.Context) (string, error) {
	var path struct {
		Directory string `json:"directory"`
	}
	err := c.get(ctx, "path", "/path", nil, &path)
	return path.Directory, err
}
