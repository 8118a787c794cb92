package opencodesim

import (
	"net/http"
	"sync"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencodeid"
	"hermes/internal/simulate/record"
)

// Options configures a Simulator. The zero value is a server of VersionNew
// without a password in /home/ada/proj.
type Options struct {
	// Version is VersionOld or VersionNew (the default).
	Version string
	// Directory is the server's working directory, which serves requests that
	// name none. Default /home/ada/proj.
	Directory string
	// Password switches Basic auth on, for the user "opencode", when it is not empty.
	Password string
	// Lag is how long the agent takes to go on after its request was answered
	// or rejected: that much later the tool part is settled and the turn ends.
	// Zero means at once, before the answer to the HTTP request is sent.
	Lag time.Duration
	// StreamGap is how long after server.connected an event stream loses what
	// happens, as 1.18.33 does for some milliseconds. Zero means not at all.
	StreamGap time.Duration
	// DisposeGap is how long after a dispose a request for the directory breaks the
	// instance that it makes anew: it answers 503 from then on, until the next dispose or
	// restart. Measured on 1.18.33, on a busy machine, one of fifteen times; here always.
	// Zero means never.
	DisposeGap time.Duration
	// Apart makes the server two, as `opencode serve` is from 1.14.48 to 1.17.0: what
	// listens, and what the client speaks with that plugins are given (InProcess), each
	// with instances of its own. A request of the one is not listed by the other, which
	// does not know it. Measured; the client's code reads fetch: Server.Default().app.fetch,
	// and what listens is another app. See docs/design/proof.md.
	Apart bool
	// Plugins are the files of plugins that its configuration names, as URLs.
	Plugins []string
}

// Simulator is one simulated OpenCode process with its data directory.
type Simulator struct {
	opts Options
	is   behaviour
	mux  *http.ServeMux

	mu    sync.Mutex
	mint  *opencodeid.Minter
	bus   *eventBus
	fault func(*http.Request) Fault

	// What OpenCode keeps on disk.
	sessions map[string]*session
	order    []string        // session ids, oldest first
	uses     int             // of all sessions
	files    map[string]bool // made by tool calls

	// What dies with the process.
	life      chan struct{} // closed when the process ends; nil when stopped
	instances map[string]*instance
	apart     map[string]*instance // with Apart, those that InProcess reaches
	disposed  map[string]time.Time // when, by directory

	// What a test asks for afterwards; never forgotten.
	*record.Record
	prompts []Prompt
}

// New makes a running Simulator. It panics when Options.Version names a
// version that is not simulated.
func New(o Options) *Simulator {
	if o.Directory == "" {
		o.Directory = "/home/ada/proj"
	}
	s := &Simulator{
		opts: o, is: behaviourOf(o.Version),
		sessions: map[string]*session{}, mint: new(opencodeid.Minter),
		Record: record.New(), files: map[string]bool{},
	}
	s.bus = &eventBus{is: s.is, mint: s.mint, streams: map[*stream]struct{}{}, seq: map[string]int{}}
	s.mux = s.routes()
	s.begin()
	return s
}

// Version is the simulated version, as /global/health tells it.
func (s *Simulator) Version() string { return s.is.version }

// Directory is the server's working directory.
func (s *Simulator) Directory() string { return s.opts.Directory }

// Transport reaches the Simulator without a socket, as inprocess.Transport
// says; a stopped Simulator refuses the connection.
func (s *Simulator) Transport() http.RoundTripper { return inprocess.Transport(s) }

// Running reports whether connections are accepted.
func (s *Simulator) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.life != nil
}

// Stop ends the process as kill -9 does: event streams and requests under way
// are cut, what was pending is forgotten, connections are refused.
func (s *Simulator) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

// Start starts a stopped Simulator again as a new process on the same data:
// sessions and messages are there, a tool part that was running stays so for
// ever, nothing is pending and no session is resumed.
func (s *Simulator) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life == nil {
		s.begin()
	}
}

// Restart is Stop and Start with no moment between them.
func (s *Simulator) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
	s.begin()
}

func (s *Simulator) begin() {
	s.life = make(chan struct{})
	s.instances, s.apart = map[string]*instance{}, map[string]*instance{}
	s.disposed = map[string]time.Time{}
	s.bus.streams = map[*stream]struct{}{}
}

func (s *Simulator) end() {
	if s.life == nil {
		return
	}
	close(s.life)
	s.life = nil
	for _, ses := range s.sessions {
		ses.turn, ses.queue, ses.ended = nil, nil, nil
	}
	s.instances, s.apart, s.bus.streams = map[string]*instance{}, map[string]*instance{}, map[*stream]struct{}{}
}

// Dispose drops the instance of a directory as POST /instance/dispose does:
// its pending requests are forgotten without an event of their own.
func (s *Simulator) Dispose(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispose(s.instance(dir))
}

// later does what the agent does once its request was settled: under the lock when
// Options.Lag has passed, and not at all if the process has ended before.
func (s *Simulator) later(f func()) {
	if s.opts.Lag == 0 {
		f()
		return
	}
	life := s.life
	time.AfterFunc(s.opts.Lag, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.life == life {
			f()
		}
	})
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
