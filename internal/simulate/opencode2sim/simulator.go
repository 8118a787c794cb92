package opencode2sim

import (
	"net/http"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/record"
)

// Simulator is one simulated OpenCode 2.x process: it serves HTTP, is driven from Go, and
// tells what happened.
type Simulator struct {
	*process
	web
	driver
	witness
}

// process is what a server holds in memory.
type process struct {
	opts  Options
	names names
	disk  *disk
	*record.Record
	prompts  []Prompt
	disowned bool // its registration was not its own
	bus      *bus
	forms    *forms
	leaves   *leaves
	runner   *runner
	fault    func(*http.Request) inprocess.Fault
	service  *registration

	life    chan struct{} // closed when the process ends; nil when it does not run
	cut     chan struct{} // closed when its event streams are cut
	started time.Time
	failed  bool // the boot has failed
	closing bool // a clean stop is under way
	pid     int
}

// New makes a running process with a database of its own.
func New(o Options) *Simulator { return newOn(newDisk(), o) }

// Beside starts another process on the same database, as `opencode serve` beside
// the service: both know all sessions; forms, permissions, what is at work and
// events are each process's own (section 1, capture 11).
func (s *Simulator) Beside(o Options) *Simulator { return newOn(s.disk, o) }

func newOn(d *disk, o Options) *Simulator {
	o.fill()
	p := &process{opts: o, names: namesOf(o.Shape), disk: d, Record: record.New()}
	p.bus = &bus{disk: d, streams: map[*inprocess.Frames]struct{}{}}
	p.forms = &forms{disk: d, bus: p.bus, names: p.names}
	p.leaves = &leaves{disk: d, bus: p.bus, names: p.names, opts: &p.opts}
	p.runner = newRunner(p)
	p.service = &registration{path: o.Registration}
	s := &Simulator{p, web{process: p}, driver{p}, witness{p}}
	s.web.routes = s.web.handler()
	s.Start()
	return s
}

func newRunner(p *process) *runner {
	r := &runner{
		disk: p.disk, bus: p.bus, forms: p.forms, leaves: p.leaves, record: p.Record, names: p.names, opts: &p.opts,
		active: map[string]*turn{}, booted: map[string]time.Time{},
	}
	r.steps = &stepper{r}
	r.tools, r.cuts = &toolbox{r.steps}, &cutter{r.steps}
	return r
}

// Version is what the server says it is.
func (s *process) Version() string { return s.opts.Version }

// URL is the address that the server says it has.
func (s *process) URL() string { return s.opts.URL }

// Transport reaches the server without a socket, as inprocess.Transport says.
func (s *Simulator) Transport() http.RoundTripper { return inprocess.Transport(s) }

// Running reports whether connections are accepted.
func (s *process) Running() bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.life != nil
}

// Start starts the process on the data that is there, with a new pid and, if it
// has a registration, a new id there. Sessions that a clean stop cut short go on
// and the model is told that their calls were interrupted; after a kill that holds
// for Release alone (section 3.3, capture 08). It does nothing while the process runs.
func (s *process) Start() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life != nil {
		return
	}
	s.life, s.cut = make(chan struct{}), make(chan struct{})
	s.started, s.failed, s.closing = time.Now(), false, false
	if s.pid = s.opts.PID; s.pid == 0 {
		s.pid = 700_000 + int(s.disk.mint.Next()&0xffff)
	}
	s.runner.life = s.life
	s.bus.streams = map[*inprocess.Frames]struct{}{}
	s.service.write(s)
	s.runner.cuts.resume()
}

// Stop is a clean stop, as `opencode service stop`: streams are cut without a
// word about what was pending, turns are marked as interrupted, and the
// registration is removed if it is the process's own (section 1, captures 08, 18).
func (s *process) Stop() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.stop()
}

func (s *process) stop() {
	if s.life == nil {
		return
	}
	if s.opts.Unsure.StopTells {
		s.runner.cuts.shutdown()
		s.endStreams()
	} else {
		s.endStreams()
		s.runner.cuts.shutdown()
	}
	s.service.remove()
	s.end()
}

// Kill ends the process as kill -9 does: nothing more is written, tool calls stay
// running in their messages, and the registration stays (captures 08, 18).
func (s *process) Kill() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life == nil {
		return
	}
	s.endStreams()
	s.runner.cuts.die()
	s.end()
}

// Restart is Stop and Start: an update, or `opencode service restart`.
func (s *process) Restart() {
	s.Stop()
	s.Start()
}

// CutStreams breaks off every event stream; the process goes on.
func (s *process) CutStreams() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life != nil {
		s.endStreams()
		s.cut = make(chan struct{})
	}
}

func (s *process) endStreams() {
	close(s.cut)
	s.bus.streams = map[*inprocess.Frames]struct{}{}
}

func (s *process) end() {
	close(s.life)
	s.life = nil
	s.runner.life = nil
	s.forms.all, s.leaves.pending = nil, nil
	s.runner.active, s.runner.booted = map[string]*turn{}, map[string]time.Time{}
}

// FailBoot makes every request answer that the boot has failed, until the next start.
func (s *process) FailBoot() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.failed = true
}

// Closing makes every request answer that the service is about to stop, until it does.
func (s *process) Closing() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.closing = true
}

// SetFault installs the function that is asked for every request, before its
// authorisation is looked at; nil removes it. It may be called at any time and
// must be safe for concurrent use.
func (s *process) SetFault(f func(*http.Request) inprocess.Fault) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.fault = f
}

// Listeners is how many event streams are open.
func (s *process) Listeners() int {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return len(s.bus.streams)
}
