package v2

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"hermes/internal/session"
	"hermes/opencode/call"
)

// fileDiff is the change of one file.
type fileDiff struct {
	File  string `json:"file"`
	Patch string `json:"patch"`
}

// Diff is what the session has changed, as a unified diff; empty: nothing. The preview does not
// keep that: there it is what has changed in the directory since the last commit, of the files
// that the session's last turns changed, whoever else did.
func (d *Driver) Diff(ctx context.Context, id session.ID) (string, error) {
	s, err := d.info(ctx, id)
	if err != nil {
		return "", err
	}
	diffs, err := d.sessionDiff(ctx, id)
	if call.IsNoRoute(err) {
		diffs, err = d.changedHere(ctx, s)
	}
	var b strings.Builder
	for _, diff := range diffs {
		if diff.Patch != "" {
			b.WriteString(strings.TrimSuffix(diff.Patch, "\n") + "\n")
		}
	}
	return b.String(), err
}

// sessionDiff reads what the release keeps.
func (d *Driver) sessionDiff(ctx context.Context, id session.ID) ([]fileDiff, error) {
	var read struct {
		Data []fileDiff `json:"data"`
	}
	err := d.Endpoint.Get(ctx, "diff of session", sessionPath(id)+"/diff", nil, &read)
	return read.Data, err
}

// changedHere reads what the preview knows of the files that the session has changed.
func (d *Driver) changedHere(ctx context.Context, s sessionInfo) ([]fileDiff, error) {
	list, err := d.readMessages(ctx, session.ID(s.ID), 100)
	changed := map[string]bool{}
	for _, m := range list {
		for _, name := range m.Snapshot.Files {
			changed[name] = true
		}
	}
	if err != nil || len(changed) == 0 {
		return nil, noSession(err)
	}
	query := url.Values{"location[directory]": {s.Location.Directory}, "mode": {"working"}}
	var read struct {
		Data []fileDiff `json:"data"`
	}
	if err := d.Endpoint.Get(ctx, "diff", "/api/vcs/diff", query, &read); err != nil {
		return nil, err
	}
	var mine []fileDiff
	for _, diff := range read.Data {
		if changed[diff.File] {
			mine = append(mine, diff)
		}
	}
	return mine, nil
}

// decodeInto reads a JSON answer.
func decodeInto(into any) func([]byte) error {
	return func(body []byte) error { return json.Unmarshal(body, into) }
}
