package opencode2sim

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencodesim/model"
)

// turn is one busy period of a session, from execution.started to its one end
// (section 2). It takes all prompts that come meanwhile.
type turn struct {
	ses     *session
	step    *message // under way; nil between steps
	calls   []*call  // of the step
	open    int      // calls that are not settled
	text    *part    // that the agent speaks
	results []string // of settled calls, that the model has not seen
	first   string   // text of the session's first prompt, if this turn took it and no other with it (capture 06)
	said    string
	parent  *call // of a subagent that its parent waits for
	wakes   *session
	done    bool
	closed  bool // its directory was unloaded in the step under way
}

// call is one tool call of a step.
type call struct {
	turn    *turn
	part    *part
	child   *turn // of a subagent in the foreground
	settled bool
	aborted bool // it fails, and the turn ends, when the others are settled
	why     string
}

func (t *turn) live() bool { return !t.done }

// later does what the agent does after its request was settled, if the turn still goes on.
func (s *Simulator) later(t *turn, f func()) { s.after(t, s.opts.Lag, f) }

func (s *Simulator) after(t *turn, d time.Duration, f func()) {
	if d == 0 {
		f()
		return
	}
	life := s.life
	time.AfterFunc(d, func() {
		s.disk.mu.Lock()
		defer s.disk.mu.Unlock()
		if s.life == life && t.live() {
			f()
		}
	})
}

// admit takes a prompt or a note (section 5): it is known from now on.
func (s *Simulator) admit(ses *session, in *input) {
	in.session, in.created, in.seq = ses.info.ID, now(), ses.seq
	s.disk.inputs[in.id] = in
	ses.waiting = append(ses.waiting, in)
	item := data{"type": in.kind, s.names.payload: in.payload, "delivery": in.delivery}
	key := "input"
	if s.opts.Shape == Release {
		key = "item"
	}
	s.bus.about(ses, s.names.admitted, data{s.names.input: in.id, key: item})
}

// wake starts a turn unless one runs. There may be nothing to do: that is an empty
// busy period (section 2).
func (s *Simulator) wake(ses *session) *turn {
	if t := s.active[ses.info.ID]; t != nil {
		return t
	}
	t := &turn{ses: ses}
	s.start(t)
	return t
}

func (s *Simulator) start(t *turn) {
	ses := t.ses
	s.active[ses.info.ID] = t
	s.bus.about(ses, "session.execution.started", nil)
	s.boot(ses.dir())
	s.repair(ses)
	t.results, ses.results = ses.results, nil
	if why := s.unfit(ses); why != nil {
		s.end(t, "failed", data{"error": why})
		return
	}
	s.advance(t)
}

// unfit is why a session's agent or model cannot work: they are not looked at
// before (section 5, capture 06).
func (s *Simulator) unfit(ses *session) *fault {
	if name := ses.agentName(); !slices.ContainsFunc(s.opts.agents(), func(a Agent) bool { return a.Name == name }) {
		return &fault{"unknown", `Agent not found: "` + name + `"`}
	}
	if m := s.modelOf(ses); !slices.Contains(s.opts.models(), m.ProviderID+"/"+m.ID) {
		return &fault{"provider.no-route", "No route for model " + m.ProviderID + "/" + m.ID}
	}
	return nil
}

// modelOf is the model of a session's next step.
func (s *Simulator) modelOf(ses *session) modelRef {
	if ses.model != nil {
		return modelRef{ID: ses.model.ID, ProviderID: ses.model.ProviderID}
	}
	provider, id, _ := strings.Cut(s.opts.models()[0], "/")
	return modelRef{ID: id, ProviderID: provider}
}

// advance is what a turn does between steps: it takes the prompts that wait and lets
// the model follow the last, or tells it the results of its calls, or ends.
func (s *Simulator) advance(t *turn) {
	s.boot(t.ses.dir()) // again, after a reload
	t.step, t.calls, t.closed = nil, nil, false
	last := s.promote(t)
	switch {
	case last != nil && last.held:
		t.results = nil
		s.open(t)
	case last != nil:
		t.results = nil
		s.follow(t, promptText(last.payload))
	case t.results != nil:
		results := t.results
		t.results = nil
		s.act(t, []model.Action{{Text: s.opts.Model.Echo(results)}})
	default:
		s.end(t, "succeeded", nil)
	}
}

// promote hands the waiting inputs to the model: all that steer, or else the first of
// the queue if nothing else is to do (section 5, capture 06).
func (s *Simulator) promote(t *turn) (last *input) {
	var taken []*input
	for _, in := range t.ses.waiting {
		if in.delivery == "steer" {
			taken = append(taken, in)
		}
	}
	if taken == nil && t.results == nil && len(t.ses.waiting) > 0 {
		taken = t.ses.waiting[:1]
	}
	if len(taken) == 1 && len(t.ses.messages) == 0 && taken[0].kind == "user" {
		t.first, _ = taken[0].payload["text"].(string)
	}
	for _, in := range slices.Clone(taken) {
		s.instruct(t)
		t.ses.remove(in)
		s.bus.about(t.ses, s.names.promoted, data{s.names.input: in.id})
		s.store(t, in)
		last = in
	}
	return last
}

// instruct tells the model its instructions before a session's first prompt.
func (s *Simulator) instruct(t *turn) {
	if t.ses.told {
		return
	}
	t.ses.told = true
	s.bus.about(t.ses, "session.instructions.updated", data{"delta": data{"core/environment": instructionsID}})
}

func (s *Simulator) store(t *turn, in *input) {
	text, _ := in.payload["text"].(string)
	m := &message{id: in.id, kind: in.kind, text: text, created: now()}
	m.files, _ = in.payload["files"].([]data)
	m.description, _ = in.payload["description"].(string)
	t.ses.messages = append(t.ses.messages, m)
	if in.kind == "user" {
		t.ses.restarts = 0
	}
}

// end ends a turn with its one terminal event.
func (s *Simulator) end(t *turn, how string, properties data) {
	t.done = true
	delete(s.active, t.ses.info.ID)
	if s.opts.Shape == Release {
		t.ses.info.Time.Idle = now()
	}
	s.bus.about(t.ses, "session.execution."+how, properties)
	if how == "succeeded" {
		s.title(t)
	}
	s.handOver(t, how)
}

// title names a session after its first turn; subagents' sessions and those that a
// person named keep their title.
func (s *Simulator) title(t *turn) {
	if t.first == "" || t.ses.titled {
		return
	}
	s.use(t.ses)
	t.ses.seq++ // session.usage.recorded, which is in the log alone (capture 15)
	s.rename(t.ses, s.opts.Model.Title(t.first))
}

func (s *Simulator) rename(ses *session, title string) {
	ses.titled, ses.info.Title = true, title
	s.disk.touch(ses)
	s.bus.about(ses, "session.renamed", data{"title": title})
}

// use adds one call of the model to a session's totals.
func (s *Simulator) use(ses *session) {
	ses.info.Tokens.add(perStep())
	s.bus.about(ses, "session.usage.updated", data{"cost": ses.info.Cost, "tokens": ses.info.Tokens})
}

// boot loads a directory at its first use: some of the events that this floods
// streams with (section 2, capture 02).
func (s *Simulator) boot(dir string) {
	if _, ok := s.booted[dir]; ok {
		return
	}
	s.booted[dir] = time.Now()
	for _, kind := range []string{"integration", "agent", "command", "skill", "catalog", "reference", "plugin"} {
		s.bus.in(dir, kind+".updated", data{})
	}
}

func (s *Simulator) bootedList() []string {
	var dirs []string
	for dir := range s.booted {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return dirs
}

func jsonText(v any) string { return string(inprocess.JSON(v)) }
