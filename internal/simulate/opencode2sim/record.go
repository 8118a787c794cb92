package opencode2sim

// Prompt is one prompt that was taken over HTTP.
type Prompt struct {
	Session string
	// Own tells whether the client gave the message its id.
	Own bool
	// Text is what was written; of a command, what was made of its template.
	Text string
	// Command is the command that was run.
	Command string
	// Agent and Model (provider/model) are the session's when the prompt came.
	Agent, Model string
}

// Prompts lists every prompt that was taken over HTTP, oldest first. A prompt that
// came again with its id is there once.
func (s *Simulator) Prompts() []Prompt {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return append([]Prompt(nil), s.prompts...)
}

// Pending lists the ids of the forms and permissions that are open in a directory,
// oldest first, forms before permissions.
func (s *Simulator) Pending(dir string) []string {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	var ids []string
	for _, f := range s.forms.pendingIn(dir) {
		ids = append(ids, f.id)
	}
	for _, l := range s.leaves.pendingIn(dir) {
		ids = append(ids, l.id)
	}
	return ids
}

// Busy reports whether a session is at work in this process.
func (s *Simulator) Busy(session string) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.active[session] != nil
}

// Session is a session as OpenCode keeps it.
type Session struct {
	ID, Directory, Title string
}

// Sessions lists the root sessions, in the order in which they were made.
func (s *Simulator) Sessions() []Session {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	var all []Session
	for _, ses := range s.disk.ordered() {
		if ses.info.ParentID == "" {
			all = append(all, Session{ses.info.ID, ses.dir(), ses.info.Title})
		}
	}
	return all
}

// Instances lists the directories that the process has booted: a bridge that sweeps
// directories boots some that the user did not use.
func (s *Simulator) Instances() []string {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.bootedList()
}
