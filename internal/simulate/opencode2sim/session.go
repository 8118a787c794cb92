package opencode2sim

import (
	"crypto/sha1"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"time"
)

// newSession is what a session is made of; an empty id and title are the server's to
// choose.
type newSession struct {
	id, dir, title, parent, agent string
	model                         *modelRef
}

func (r *runner) create(n newSession) *session {
	at := time.Now()
	ses := &session{agent: n.agent, model: n.model, titled: n.title != ""}
	if n.title == "" {
		n.title = "New session - " + at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if n.id == "" {
		n.id = r.disk.mint.Descending("ses")
	}
	ses.info = sessionInfo{
		ID: n.id, ParentID: n.parent, ProjectID: r.opts.project(n.dir), Agent: n.agent, Model: n.model, Title: n.title,
		Time: sessionTime{Created: at.UnixMilli()}, Location: locationRef{n.dir},
	}
	if ses.info.ProjectID == global {
		ses.info.Subpath = strings.TrimPrefix(n.dir, "/")
	}
	r.disk.add(ses)
	r.bus.about(ses, "session.created", data{"info": createdInfo(ses, r.opts.Version)})
	return ses
}

// createdInfo is the old shape of a session in session.created (section 2, capture 02).
func createdInfo(ses *session, version string) data {
	id := ses.info.ID
	info := data{
		"id": id, "slug": "quiet-" + strings.ToLower(id[max(0, len(id)-5):]), "projectID": ses.info.ProjectID,
		"directory": ses.dir(), "path": ses.info.Subpath, "cost": 0, "tokens": ses.info.Tokens, "title": ses.info.Title,
		"version": version, "time": ses.info.Time,
	}
	if ses.info.ParentID != "" {
		info["parentID"] = ses.info.ParentID
	}
	if ses.info.Agent != "" {
		info["agent"] = ses.info.Agent
	}
	return info
}

// project is the id of a directory's project: by the options, or "global" outside of
// a repository; else every directory is one of its own, whatever slash its name ends with.
func (o *Options) project(dir string) string {
	if id, ok := o.Projects[strings.TrimSuffix(dir, "/")]; ok {
		return id
	}
	if dir == o.Home || slices.Contains(o.Missing, dir) {
		return global
	}
	sum := sha1.Sum([]byte(path.Clean(dir)))
	return hex.EncodeToString(sum[:])
}

// location is how answers name a directory (section 1).
func (o *Options) location(dir string) data {
	root := strings.TrimSuffix(dir, "/")
	id := o.project(dir)
	if id == global {
		root = "/"
	}
	return data{"directory": dir, "project": data{"id": id, "directory": root}}
}

// fork copies a session's messages into a new one (capture 15).
func (r *runner) fork(ses *session, message string) *session {
	at := now()
	fork := &session{agent: ses.agent, model: ses.model, titled: true, told: ses.told}
	fork.info = ses.info
	fork.info.ID, fork.info.ParentID = r.disk.mint.Descending("ses"), ""
	fork.info.Fork = &forkRef{ses.info.ID, message}
	fork.info.Tokens = tokens{}
	fork.info.Time = sessionTime{Created: at, Updated: at}
	fork.info.Title = ses.info.Title + " (fork #1)"
	for _, m := range ses.messages {
		if m.id == message {
			break
		}
		fork.messages = append(fork.messages, m)
	}
	r.disk.add(fork)
	r.bus.about(fork, "session.forked", data{"parentID": ses.info.ID, "parentSeq": ses.seq - 1})
	return fork
}

// promptText is what a model reads of a prompt: its text and its attachments (capture 06).
func promptText(payload data) string {
	text, _ := payload["text"].(string)
	files, _ := payload["files"].([]data)
	for _, f := range files {
		name, _ := f["name"].(string)
		mime, _ := f["mime"].(string)
		text += "\n\nAttached file: " + name
		if strings.HasPrefix(mime, "text/") {
			text += "\n\n" + string(decoded(f))
		}
	}
	return text
}
