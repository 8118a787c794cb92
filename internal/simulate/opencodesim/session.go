package opencodesim

import (
	"time"
)

// session is what OpenCode keeps on disk of one session, and, in turn and
// queue, what the process does with it now.
type session struct {
	info     sessionInfo
	messages []*message
	used     int // which use of any session was its last
	todos    []map[string]any
	model    modelRef // of the last prompt; OpenCode does not keep the agent so
	broken   string   // why every further turn fails: a file that no model reads
	parent   *call    // the task call that a subagent session works for

	turn    *turn
	queue   []queued
	ended   []chan *message // of commands: told at the end of the turn
	deleted bool
}

// queued is a prompt that came while the session was busy: its message is
// stored, the agent has not seen it.
type queued struct {
	prompt  Prompt
	message *message
}

type message struct {
	info  messageInfo
	parts []*part
}

// Prompt is one prompt that was sent over HTTP.
type Prompt struct {
	Session string
	// Directory is the instance that the request reached.
	Directory string
	// MessageID is the client's own message id, empty if it gave none.
	MessageID string
	// Text is the text parts, joined by lines.
	Text string
	// NoReply marks a prompt that is stored and starts no turn.
	NoReply bool
	// Command is the command of OpenCode's own that was run; Text is then its text.
	Command string
	// Agent and Model (provider/model) are what the client named, if it did.
	Agent, Model string
	// Files are the file parts.
	Files []File

	parts []part
	model modelRef
}

// File is a file part of a prompt, whose data came in its address.
type File struct {
	Name, Mime string
	Data       []byte
}

// Prompts lists every prompt that was taken over HTTP, oldest first, also of
// processes that have ended.
func (s *Simulator) Prompts() []Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Prompt(nil), s.prompts...)
}

// NewSession makes a session in dir and returns its id. An empty title is
// replaced by OpenCode's own.
func (s *Simulator) NewSession(dir, title string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newSession(s.instance(dir), title, "").info.ID
}

func (s *Simulator) newSession(inst *instance, title, parent string) *session {
	now := time.Now()
	if title == "" {
		title = "New session - " + now.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	id := s.mint.Descending("ses")
	ses := &session{info: sessionInfo{
		ID: id, Version: s.is.version,
		ProjectID: projectID(inst.dir), Directory: inst.dir, ParentID: parent, Title: title,
		Time: sessionTime{Created: now.UnixMilli(), Updated: now.UnixMilli()},
	}}
	s.uses++
	ses.used = s.uses
	s.sessions[id] = ses
	s.order = append(s.order, id)
	s.bus.publishStored(inst.dir, id, "session.created", map[string]any{"info": ses.info})
	return ses
}

// Delete deletes a session and its subagents' sessions. As in OpenCode, that
// does not stop a turn: the session stays busy and its requests stay listed;
// when they are settled, the turn ends and the model is not asked again.
func (s *Simulator) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ses := s.sessions[id]; ses != nil {
		s.delete(ses)
	}
}

// Archive puts a session away, as OpenCode's own clients do; it is still there.
func (s *Simulator) Archive(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ses := s.sessions[id]; ses != nil {
		ses.info.Time.Archived = time.Now().UnixMilli()
		s.touch(ses)
	}
}

// Rename gives a session another title.
func (s *Simulator) Rename(id, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ses := s.sessions[id]; ses != nil {
		ses.info.Title = title
		s.touch(ses)
	}
}

func (s *Simulator) delete(ses *session) {
	for _, child := range s.children(ses.info.ID) {
		s.delete(child)
	}
	ses.deleted = true
	delete(s.sessions, ses.info.ID)
	for i, id := range s.order {
		if id == ses.info.ID {
			s.order = append(s.order[:i:i], s.order[i+1:]...)
			break
		}
	}
	s.bus.publishStored(ses.info.Directory, ses.info.ID, "session.deleted", map[string]any{"info": ses.info})
}

// ordered lists the sessions, oldest first.
func (s *Simulator) ordered() []*session {
	all := make([]*session, 0, len(s.order))
	for _, id := range s.order {
		all = append(all, s.sessions[id])
	}
	return all
}

func (s *Simulator) children(id string) []*session {
	var kids []*session
	for _, ses := range s.ordered() {
		if ses.info.ParentID == id {
			kids = append(kids, ses)
		}
	}
	return kids
}

func (s *Simulator) touch(ses *session) {
	ses.info.Time.Updated = time.Now().UnixMilli()
	s.uses++
	ses.used = s.uses
	s.bus.publishStored(ses.info.Directory, ses.info.ID, "session.updated", map[string]any{"info": ses.info})
}
