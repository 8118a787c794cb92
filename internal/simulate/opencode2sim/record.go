package opencode2sim

// record is what a test asks for afterwards. It is never forgotten, and used under
// the disk's lock.
type record struct {
	prompts  []Prompt
	results  map[string]result // by call id
	settled  map[string]int    // effective replies by request id
	attempts map[string]int    // valid replies over HTTP by request id
	ran      map[string]bool   // calls that were carried out
	disowned bool
}

// result is what the agent got from one tool call.
type result struct {
	answers  [][]string
	answered bool
	output   string
	ended    bool
}

func newRecord() *record {
	return &record{
		results: map[string]result{}, settled: map[string]int{}, attempts: map[string]int{}, ran: map[string]bool{},
	}
}

func (r *record) answered(request, call string, answers [][]string) {
	r.settled[request]++
	if call != "" {
		r.results[call] = result{answers: answers, answered: true}
	}
}

func (r *record) ended(call, output string) {
	got := r.results[call]
	got.output, got.ended = output, true
	r.results[call] = got
}

// Prompt is one prompt that was taken over HTTP.
type Prompt struct {
	// Session is whose it is, Directory where that works.
	Session, Directory string
	// ID is the message's id, which the client gave if Own is set.
	ID  string
	Own bool
	// Text is what was written; of a command, what was made of its template.
	Text string
	// Command is the command that was run.
	Command string
	// Delivery is steer or queue; NoReply marks a prompt with resume: false.
	Delivery string
	NoReply  bool
	// Agent and Model (provider/model) are the session's when the prompt came.
	Agent, Model string
	Files        []File
}

// File is an attachment of a prompt, as it was read at its admission.
type File struct {
	Name, Mime string
	Data       []byte
}

// witness is what a process tells of itself.
type witness struct{ *process }

// Prompts lists every prompt that was taken over HTTP, oldest first. A prompt that
// came again with its id is there once.
func (s *witness) Prompts() []Prompt {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return append([]Prompt(nil), s.record.prompts...)
}

// Received is exactly what the agent got for a question call: one list for each
// question, empty where it was left out. For a permission call it is one answer of
// one word: once, always or reject. ok is false while nothing has, and for a call
// that was dismissed, interrupted or forgotten.
func (s *witness) Received(call string) (answers [][]string, ok bool) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	r := s.record.results[call]
	return r.answers, r.answered
}

// Output is the text that the model read as the result of a tool call. ok is false
// while the call runs.
func (s *witness) Output(call string) (text string, ok bool) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	r := s.record.results[call]
	return r.output, r.ended
}

// Replies is how many replies and dismissals for a request took effect: 0 or 1.
func (s *witness) Replies(request string) int {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.record.settled[request]
}

// Attempts is how many well-formed replies and dismissals for a request id came over
// HTTP, whether or not they changed anything.
func (s *witness) Attempts(request string) int {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.record.attempts[request]
}

// Ran reports whether a tool call was carried out.
func (s *witness) Ran(call string) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.record.ran[call]
}

// Pending lists the ids of the forms and permissions that are open in a directory,
// oldest first, forms before permissions.
func (s *witness) Pending(dir string) []string {
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
func (s *witness) Busy(session string) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.runner.active[session] != nil
}

// Session is a session as OpenCode keeps it.
type Session struct {
	ID, Directory, Title string
}

// Sessions lists the root sessions, in the order in which they were made.
func (s *witness) Sessions() []Session {
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
func (s *witness) Instances() []string {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.runner.bootedList()
}
