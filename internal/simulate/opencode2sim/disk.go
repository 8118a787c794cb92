package opencode2sim

import (
	"crypto/sha1"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/simulate/opencodeid"
)

// data is a JSON object.
type data = map[string]any

// disk is what OpenCode keeps in its database, which two processes may share
// (section 1). Its lock is the one of every process on it.
type disk struct {
	mu       sync.Mutex
	mint     opencodeid.Minter
	sessions map[string]*session
	order    []string          // session ids, oldest first
	uses     int               // of all sessions
	inputs   map[string]*input // by id; ids are unique over all sessions (capture 06)
	saved    []savedRule
}

func newDisk() *disk {
	return &disk{sessions: map[string]*session{}, inputs: map[string]*input{}}
}

// session is a session with its messages.
type session struct {
	info     sessionInfo
	used     int // larger is more recent
	deleted  bool
	agent    string // of the next turn; "" is build
	model    *modelRef
	messages []*message
	waiting  []*input // not promoted, in the order of their admission
	seq      int      // of the next durable event
	told     bool
	titled   bool
	resume   bool     // a clean stop cut its turn: the next start goes on
	killed   bool     // a kill cut its turn, and the next start goes on
	results  []string // what a resumed turn tells the model
	restarts int      // after a kill, since the last prompt of the user
}

type sessionInfo struct {
	ID        string      `json:"id"`
	ParentID  string      `json:"parentID,omitempty"`
	ProjectID string      `json:"projectID"`
	Agent     string      `json:"agent,omitempty"`
	Model     *modelRef   `json:"model,omitempty"`
	Cost      float64     `json:"cost"`
	Tokens    tokens      `json:"tokens"`
	Time      sessionTime `json:"time"`
	Title     string      `json:"title"`
	Location  locationRef `json:"location"`
	Subpath   string      `json:"subpath,omitempty"`
}

type modelRef struct {
	ID         string `json:"id"`
	ProviderID string `json:"providerID"`
	Variant    string `json:"variant,omitempty"`
}

type sessionTime struct {
	Created int64 `json:"created"`
	Updated int64 `json:"updated"`
	Idle    int64 `json:"idle,omitempty"` // since when it is idle: Release's (section 5, [S])
}

type locationRef struct {
	Directory string `json:"directory"`
}

type tokens struct {
	Input     int `json:"input"`
	Output    int `json:"output"`
	Reasoning int `json:"reasoning"`
	Cache     struct {
		Read  int `json:"read"`
		Write int `json:"write"`
	} `json:"cache"`
}

// perStep is what every step of the scripted model uses, as in the captures.
func perStep() tokens { return tokens{Input: 10, Output: 5} }

func (t *tokens) add(n tokens) {
	t.Input += n.Input
	t.Output += n.Output
}

// input is a prompt or a note, from its admission on.
type input struct {
	id, session string
	seq         int
	kind        string // user or synthetic
	payload     data
	delivery    string
	created     int64
	held        bool // from Go: the step that follows it does nothing by itself
}

func (s *session) dir() string { return s.info.Location.Directory }

func (s *session) remove(in *input) {
	for i, other := range s.waiting {
		if other == in {
			s.waiting = append(s.waiting[:i:i], s.waiting[i+1:]...)
			return
		}
	}
}

func (s *session) agentName() string {
	if s.agent == "" {
		return "build"
	}
	return s.agent
}

// ordered lists the sessions, oldest first.
func (d *disk) ordered() []*session {
	list := make([]*session, 0, len(d.order))
	for _, id := range d.order {
		list = append(list, d.sessions[id])
	}
	return list
}

func (d *disk) children(id string) []*session {
	var list []*session
	for _, ses := range d.ordered() {
		if ses.info.ParentID == id {
			list = append(list, ses)
		}
	}
	return list
}

func (d *disk) add(ses *session) {
	d.sessions[ses.info.ID] = ses
	d.order = append(d.order, ses.info.ID)
	d.touch(ses)
}

func (d *disk) drop(ses *session) {
	ses.deleted = true
	delete(d.sessions, ses.info.ID)
	for i, id := range d.order {
		if id == ses.info.ID {
			d.order = append(d.order[:i:i], d.order[i+1:]...)
			return
		}
	}
}

// touch makes a session the one that was updated last.
func (d *disk) touch(ses *session) {
	d.uses++
	ses.used = d.uses
	ses.info.Time.Updated = now()
}

func now() int64 { return time.Now().UnixMilli() }

// newSession is what a session is made of; an empty id and title are the server's to
// choose.
type newSession struct {
	id, dir, title, parent, agent string
	model                         *modelRef
}

func (s *Simulator) create(n newSession) *session {
	at := time.Now()
	ses := &session{agent: n.agent, model: n.model, titled: n.title != ""}
	if n.title == "" {
		n.title = "New session - " + at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if n.id == "" {
		n.id = s.disk.mint.Descending("ses")
	}
	ses.info = sessionInfo{
		ID: n.id, ParentID: n.parent, ProjectID: s.opts.project(n.dir), Agent: n.agent, Model: n.model, Title: n.title,
		Time: sessionTime{Created: at.UnixMilli()}, Location: locationRef{n.dir},
	}
	if ses.info.ProjectID == global {
		ses.info.Subpath = strings.TrimPrefix(n.dir, "/")
	}
	s.disk.add(ses)
	info := createdInfo(ses, s.opts.Version)
	if s.opts.Shape == Release {
		delete(info, "id")
		s.bus.about(ses, "session.created", info)
	} else {
		s.bus.about(ses, "session.created", data{"info": info})
	}
	return ses
}

// createdInfo is the old shape of a session in session.created (section 2, capture 02). On Release it is flat (section 10; which
// of its fields are there is not told).
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
