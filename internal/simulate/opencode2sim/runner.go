package opencode2sim

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencodesim/model"
	"hermes/internal/simulate/record"
)

// runner is what the agents of one process do. It is used under the disk's lock.
type runner struct {
	disk   *disk
	bus    *bus
	forms  *forms
	leaves *leaves
	record *record.Record
	names  names
	opts   *Options
	life   <-chan struct{} // of the process; nil while it does not run
	steps  *stepper
	tools  *toolbox
	cuts   *cutter
	active map[string]*turn
	booted map[string]time.Time // when, by directory
}

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
func (r *runner) later(t *turn, f func()) { r.after(t, r.opts.Lag, f) }

func (r *runner) after(t *turn, d time.Duration, f func()) {
	if d == 0 {
		f()
		return
	}
	life := r.life
	time.AfterFunc(d, func() {
		r.disk.mu.Lock()
		defer r.disk.mu.Unlock()
		if r.life == life && t.live() {
			f()
		}
	})
}

// admit takes a prompt or a note (section 5): it is known from now on.
func (r *runner) admit(ses *session, in *input) {
	in.session, in.created, in.seq = ses.info.ID, now(), ses.seq
	r.disk.inputs[in.id] = in
	ses.waiting = append(ses.waiting, in)
	item := data{"type": in.kind, r.names.payload: in.payload, "delivery": in.delivery}
	key := "input"
	if r.opts.Shape == Release {
		key = "item"
	}
	r.bus.about(ses, r.names.admitted, data{r.names.input: in.id, key: item})
}

// wake starts a turn unless one runs. There may be nothing to do: that is an empty
// busy period (section 2).
func (r *runner) wake(ses *session) *turn {
	if t := r.active[ses.info.ID]; t != nil {
		return t
	}
	t := &turn{ses: ses}
	r.start(t)
	return t
}

func (r *runner) start(t *turn) {
	ses := t.ses
	r.active[ses.info.ID] = t
	r.bus.about(ses, "session.execution.started", nil)
	r.boot(ses.dir())
	r.cuts.repair(ses)
	t.results, ses.results = ses.results, nil
	if why := r.unfit(ses); why != nil {
		r.end(t, "failed", data{"error": why})
		return
	}
	r.advance(t)
}

// unfit is why a session's agent or model cannot work: they are not looked at
// before (section 5, capture 06).
func (r *runner) unfit(ses *session) *fault {
	if name := ses.agentName(); !slices.ContainsFunc(r.opts.agents(), func(a Agent) bool { return a.Name == name }) {
		return &fault{"unknown", `Agent not found: "` + name + `"`}
	}
	if m := r.modelOf(ses); !slices.Contains(r.opts.models(), m.ProviderID+"/"+m.ID) {
		return &fault{"provider.no-route", "No route for model " + m.ProviderID + "/" + m.ID}
	}
	return nil
}

// modelOf is the model of a session's next step.
func (r *runner) modelOf(ses *session) modelRef {
	if ses.model != nil {
		return modelRef{ID: ses.model.ID, ProviderID: ses.model.ProviderID}
	}
	provider, id, _ := strings.Cut(r.opts.models()[0], "/")
	return modelRef{ID: id, ProviderID: provider}
}

// advance is what a turn does between steps: it takes the prompts that wait and lets
// the model follow the last, or tells it the results of its calls, or ends.
func (r *runner) advance(t *turn) {
	r.boot(t.ses.dir()) // again, after a reload
	t.step, t.calls, t.closed = nil, nil, false
	last := r.promote(t)
	switch {
	case last != nil && last.held:
		t.results = nil
		r.steps.open(t)
	case last != nil:
		t.results = nil
		r.steps.follow(t, promptText(last.payload))
	case t.results != nil:
		results := t.results
		t.results = nil
		r.steps.act(t, []model.Action{{Text: r.opts.Model.Echo(results)}})
	default:
		r.end(t, "succeeded", nil)
	}
}

// promote hands the waiting inputs to the model: all that steer, or else the first of
// the queue if nothing else is to do (section 5, capture 06).
func (r *runner) promote(t *turn) (last *input) {
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
		r.instruct(t)
		t.ses.remove(in)
		r.bus.about(t.ses, r.names.promoted, data{r.names.input: in.id})
		r.store(t, in)
		last = in
	}
	return last
}

// instruct tells the model its instructions before a session's first prompt.
func (r *runner) instruct(t *turn) {
	if t.ses.told {
		return
	}
	t.ses.told = true
	r.bus.about(t.ses, "session.instructions.updated", data{"delta": data{"core/environment": instructionsID}})
}

func (r *runner) store(t *turn, in *input) {
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
func (r *runner) end(t *turn, how string, properties data) {
	t.done = true
	delete(r.active, t.ses.info.ID)
	if r.opts.Shape == Release {
		t.ses.info.Time.Idle = now()
	}
	r.bus.about(t.ses, "session.execution."+how, properties)
	if how == "succeeded" {
		r.title(t)
	}
	r.tools.handOver(t, how)
}

// title names a session after its first turn; subagents' sessions and those that a
// person named keep their title.
func (r *runner) title(t *turn) {
	if t.first == "" || t.ses.titled {
		return
	}
	r.use(t.ses)
	t.ses.seq++ // session.usage.recorded, which is in the log alone (capture 15)
	r.rename(t.ses, r.opts.Model.Title(t.first))
}

func (r *runner) rename(ses *session, title string) {
	ses.titled, ses.info.Title = true, title
	r.disk.touch(ses)
	r.bus.about(ses, "session.renamed", data{"title": title})
}

// use adds one call of the model to a session's totals.
func (r *runner) use(ses *session) {
	ses.info.Tokens.add(perStep())
	r.bus.about(ses, "session.usage.updated", data{"cost": ses.info.Cost, "tokens": ses.info.Tokens})
}

// boot loads a directory at its first use: some of the events that this floods
// streams with (section 2, capture 02).
func (r *runner) boot(dir string) {
	if _, ok := r.booted[dir]; ok {
		return
	}
	r.booted[dir] = time.Now()
	for _, kind := range []string{"integration", "agent", "command", "skill", "catalog", "reference", "plugin"} {
		r.bus.in(dir, kind+".updated", data{})
	}
}

func (r *runner) bootedList() []string {
	var dirs []string
	for dir := range r.booted {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return dirs
}

func jsonText(v any) string { return string(inprocess.JSON(v)) }
