package opencodesim

// Received is exactly what the agent got for a question call: the answers of
// the one reply that took effect. ok is false while none has, and for a call
// that was rejected, aborted or forgotten. For a permission call it is one
// answer of one word: once, always or reject.
func (s *Simulator) Received(callID string) (answers [][]string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.results[callID]
	return r.answers, r.answered
}

// Output is the text that the model read as the result of a tool call, also of
// a rejected one. ok is false while the call runs.
func (s *Simulator) Output(callID string) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.results[callID]
	return r.output, r.ended
}

// Replies is how many replies and rejects for a request took effect on the
// agent: 0 or 1. Replies to a leaked request do not count.
func (s *Simulator) Replies(requestID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settled[requestID]
}

// Attempts is how many valid reply and reject requests for a request id came
// over HTTP, whether or not they changed anything.
func (s *Simulator) Attempts(requestID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attempts[requestID]
}

// Pending lists the ids of the requests that a directory's instance lists,
// oldest first, leaked ones included. Unlike an HTTP request it makes no
// instance.
func (s *Simulator) Pending(dir string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	if inst := s.instances[s.is.directoryKey(dir)]; inst != nil {
		for _, p := range inst.pending {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// Busy reports whether a session is at work.
func (s *Simulator) Busy(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.sessions[session]
	return ses != nil && ses.turn != nil
}

// Ran reports whether a tool call was carried out, also after an abort.
func (s *Simulator) Ran(callID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ran[callID]
}

// Exists reports whether a tool call that was carried out made a file: edit and
// write by their path, bash by touch and mkdir. Nothing is on a real disk.
func (s *Simulator) Exists(file string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[file]
}

// Session is a session as OpenCode keeps it.
type Session struct {
	ID, Directory, Title string
}

// Sessions lists the root sessions that there are, in the order in which they were made.
func (s *Simulator) Sessions() []Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Session
	for _, id := range s.order {
		if ses := s.sessions[id]; ses != nil && ses.info.ParentID == "" {
			list = append(list, Session{id, ses.info.Directory, ses.info.Title})
		}
	}
	return list
}
