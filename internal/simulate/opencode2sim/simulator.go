package opencode2sim

import (
	"net/http"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/record"
)

// Simulator is one simulated OpenCode 2.x process: it serves HTTP, is driven from Go, and
// tells what happened. Its lock is the disk's.
type Simulator struct {
	*record.Record
	prompts  []Prompt
	disowned bool // its registration was not its own

	opts    Options
	names   names
	disk    *disk
	bus     *bus
	forms   *forms
	leaves  *leaves
	service *registration
	routes  http.Handler
	fault   func(*http.Request) inprocess.Fault
	active  map[string]*turn     // by session
	booted  map[string]time.Time // when, by directory

	life       chan struct{} // closed when the process ends; nil when it does not run
	streams    chan struct{} // closed when the event streams are cut
	started    time.Time
	bootFailed bool
	closing    bool // a clean stop is under way
	pid        int
}

// New makes a running process with a database of its own.
func New(o Options) *Simulator { return newOn(newDisk(), o) }

// Beside starts another process on the same database, as `opencode serve` beside
// the service: both know all sessions; forms, permissions, what is at work and
// events are each process's own (section 1, capture 11).
func (s *Simulator) Beside(o Options) *Simulator { return newOn(s.disk, o) }

func newOn(d *disk, o Options) *Simulator {
	o.fill()
	s := &Simulator{
		Record: record.New(), opts: o, names: namesOf(o.Shape), disk: d, service: &registration{path: o.Registration},
		active: map[string]*turn{}, booted: map[string]time.Time{},
	}
	s.bus = &bus{disk: d, streams: map[*inprocess.Frames]struct{}{}}
	s.forms = &forms{disk: d, bus: s.bus, names: s.names}
	s.leaves = &leaves{disk: d, bus: s.bus, names: s.names, opts: &s.opts}
	s.routes = s.handler()
	s.Start()
	return s
}

// Version is what the server says it is.
func (s *Simulator) Version() string { return s.opts.Version }

// URL is the address that the server says it has.
func (s *Simulator) URL() string { return s.opts.URL }

// Transport reaches the server without a socket, as inprocess.Transport says.
func (s *Simulator) Transport() http.RoundTripper { return inprocess.Transport(s) }

// Running reports whether connections are accepted.
func (s *Simulator) Running() bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.life != nil
}

// Start starts the process on the data that is there, with a new pid and, if it
// has a registration, a new id there. Sessions that a clean stop cut short go on
// and the model is told that their calls were interrupted; after a kill that holds
// for Release alone (section 3.3, capture 08). It does nothing while the process runs.
func (s *Simulator) Start() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life != nil {
		return
	}
	s.life, s.streams = make(chan struct{}), make(chan struct{})
	s.started, s.bootFailed, s.closing = time.Now(), false, false
	if s.pid = s.opts.PID; s.pid == 0 {
		s.pid = 700_000 + int(s.disk.mint.Next()&0xffff)
	}
	s.bus.streams = map[*inprocess.Frames]struct{}{}
	s.service.write(s)
	s.resume()
}

// Stop is a clean stop, as `opencode service stop`: streams are cut without a
// word about what was pending, turns are marked as interrupted, and the
// registration is removed if it is the process's own (section 1, captures 08, 18).
func (s *Simulator) Stop() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.stop()
}

func (s *Simulator) stop() {
	if s.life == nil {
		return
	}
	if s.opts.Unsure.StopTells {
		s.shutdown()
		s.endStreams()
	} else {
		s.endStreams()
		s.shutdown()
	}
	s.service.remove()
	s.halt()
}

// Kill ends the process as kill -9 does: nothing more is written, tool calls stay
// running in their messages, and the registration stays (captures 08, 18).
func (s *Simulator) Kill() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life == nil {
		return
	}
	s.endStreams()
	s.die()
	s.halt()
}

// Restart is Stop and Start: an update, or `opencode service restart`.
func (s *Simulator) Restart() {
	s.Stop()
	s.Start()
}

// CutStreams breaks off every event stream; the process goes on.
func (s *Simulator) CutStreams() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life != nil {
		s.endStreams()
		s.streams = make(chan struct{})
	}
}

func (s *Simulator) endStreams() {
	close(s.streams)
	s.bus.streams = map[*inprocess.Frames]struct{}{}
}

func (s *Simulator) halt() {
	close(s.life)
	s.life = nil
	s.forms.all, s.leaves.pending = nil, nil
	s.active, s.booted = map[string]*turn{}, map[string]time.Time{}
}

// FailBoot makes every request answer that the boot has failed, until the next start.
func (s *Simulator) FailBoot() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.bootFailed = true
}

// Closing makes every request answer that the service is about to stop, until it does.
func (s *Simulator) Closing() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.closing = true
}

// SetFault installs the function that is asked for every request, before its
// authorisation is looked at; nil removes it. It may be called at any time and
// must be safe for concurrent use.
func (s *Simulator) SetFault(f func(*http.Request) inprocess.Fault) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.fault = f
}

// Listeners is how many event streams are open.
func (s *Simulator) Listeners() int {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return len(s.bus.streams)
}
