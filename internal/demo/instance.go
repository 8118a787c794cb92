package demo

import (
	"fmt"
	"slices"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/page"
	telegram "hermes/internal/simulate/telegramsim"
)

// instance is everything behind the page: it is the page's World. Its methods may be
// called concurrently.
type instance struct {
	telegram *telegram.Server
	people   []telegram.User
	hermes   *restartableDaemon
	toPhone  *cutTransport // between hermes and Telegram
	toAgent  *cutTransport // between hermes and OpenCode; nil: not ours to cut
	agent    agent
	scripted *scripted // the agent, unless it is the person's own
	title    string
	setup    string                // the command that comes after the tour
	steps    map[string][]tourStep // by language; empty: the agent asks by itself
	ledger   *snapshot
	log      *logTail

	greeting sync.Once
	joined   bool // Ada and Bob have pressed Start; set before the page is served, or in greeting

	mu    sync.Mutex
	lang  string
	asked map[string]int // by step
	// interrupted are the asks that waited when hermes was killed.
	interrupted map[string]bool
	finished    map[string]bool // the steps of the tour that were done once
}

// tryPeople are those who have a phone here. Both may answer, and both are asked.
func tryPeople() []telegram.User {
	return []telegram.User{
		{ID: 1001, FirstName: "Ada", LanguageCode: "en"},
		{ID: 1002, FirstName: "Bob", LanguageCode: "en"},
	}
}

// State implements [page.World].
func (t *instance) State() page.State {
	if n := t.hermes.currentRun(); n != nil {
		t.ledger.read(n.daemon.Store)
	}
	s := page.State{
		Lang: t.language(), Title: t.title, Setup: t.setup, Advice: append([]page.Line{}, t.agent.advice()...),
		Ways: t.connections(), Asks: t.agent.openAsks(), Log: t.log.lastLines(),
	}
	s.Tour, s.More = t.progress()
	s.Open, s.Journal = t.ledger.pageView()
	alerts := t.telegram.Alerts()
	for _, u := range t.people {
		s.People = append(s.People, page.Person{
			ID: u.ID, Name: u.FirstName, Messages: viewMessages(t.telegram.Messages(u.ID)), Alerts: lastAlerts(alerts, u.ID),
		})
	}
	return s
}

// progress is how far the tour is, and all that can be asked.
func (t *instance) progress() (tour, more []page.Step) {
	tour, more = []page.Step{}, []page.Step{}
	f := t.facts()
	for _, s := range t.steps[t.language()] {
		t.mu.Lock()
		step := page.Step{ID: s.id, Title: s.title, Text: s.text, Hint: s.hint, Asked: t.asked[s.id]}
		t.mu.Unlock()
		if s.asks() {
			more = append(more, step)
		}
		if s.lead != nil {
			f.ask = t.scripted.newestAsk(s.id)
			f.shown, f.voted, f.interrupted = t.ledger.shows(f.ask.ID), t.ledger.voters(f.ask.ID), t.wasInterrupted(f.ask.ID)
			now := s.guide(f)
			step.Hint, step.Next, step.Done = now.hint, now.next, t.isFinished(s.id, now.done)
			tour = append(tour, step)
		}
	}
	return tour, more
}

// isFinished reports whether a step was ever done: that stays, whatever breaks later.
func (t *instance) isFinished(step string, now bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finished[step] = t.finished[step] || now
	return t.finished[step]
}

// facts are those that are the same for every step.
func (t *instance) facts() facts {
	f := facts{
		up: t.hermes.currentRun() != nil, telegram: t.toPhone.isUp(), agent: t.toAgent == nil || t.toAgent.isUp(),
		unread: t.telegram.Pending(),
	}
	ada := t.people[0].ID
	f.drive = t.ledger.driving(chat.ID(ada))
	f.drive.listed = showsList(t.telegram.Messages(ada))
	return f
}

// showsList reports whether /sessions was sent, and answered with buttons.
func showsList(chat []telegram.Message) bool {
	sent := slices.IndexFunc(chat, func(m telegram.Message) bool { return !m.FromBot && m.Text == "/sessions" })
	return sent >= 0 && slices.ContainsFunc(chat[sent:], func(m telegram.Message) bool { return m.FromBot && m.ReplyTo == chat[sent].ID && len(m.Rows) > 0 })
}

// killHermes kills hermes, and notes what waited then.
func (t *instance) killHermes() {
	t.hermes.kill()
	for _, a := range t.agent.openAsks() {
		if a.State == askWaiting {
			t.mu.Lock()
			t.interrupted[a.ID] = true
			t.mu.Unlock()
		}
	}
}

func (t *instance) wasInterrupted(ask string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.interrupted[ask]
}

func (t *instance) connections() []page.Way {
	hermes := page.Way{ID: "hermes", Name: "Hermes", State: t.hermes.stateName(), Up: t.hermes.currentRun() != nil}
	if hermes.Up {
		hermes.Actions = []page.Choice{{Do: "kill", Label: "Kill"}}
	} else {
		hermes.Actions = []page.Choice{{Do: "start", Label: "Start"}}
	}
	list := []page.Way{wireWay("telegram", "Telegram", t.toPhone), hermes}
	if t.toAgent != nil {
		agent := wireWay("opencode", "OpenCode", t.toAgent)
		agent.Actions = append(agent.Actions, page.Choice{Do: "restart", Label: "Restart"})
		list = append(list, agent)
	}
	return list
}

func wireWay(id, name string, w *cutTransport) page.Way {
	if w.isUp() {
		return page.Way{ID: id, Name: name, State: "connected", Up: true, Actions: []page.Choice{{Do: "cut", Label: "Cut off"}}}
	}
	return page.Way{ID: id, Name: name, State: "cut off", Actions: []page.Choice{{Do: "mend", Label: "Connect"}}}
}

// Do implements [page.World].
func (t *instance) Do(a page.Action) (callback string, err error) {
	switch a.Do {
	case "tap":
		return t.tapButton(a)
	case "say":
		return "", t.sendText(a)
	case "ask":
		return "", t.askTourStep(a.ID)
	case "speak":
		return "", t.speak(a.ID)
	}
	if t.scripted != nil && (a.Do == "answer" || a.Do == "dismiss") {
		return "", t.scripted.answerInTerminal(a.ID, a.Do == "dismiss")
	}
	return "", t.breakOrMend(a.ID, a.Do)
}

// tapButton sends the data that the button had when it was tapped, as phones do: the
// keyboard may have changed since.
func (t *instance) tapButton(a page.Action) (string, error) {
	for _, m := range t.telegram.Messages(a.Person) {
		labelled := slices.ContainsFunc(m.Rows, func(row []telegram.Button) bool {
			return slices.ContainsFunc(row, func(b telegram.Button) bool { return b.Label == a.Label && b.Data == a.Data })
		})
		if m.ID == a.Message && labelled {
			if callback, err := t.telegram.Tap(a.Person, a.Person, a.Message, a.Label); err == nil {
				return callback, nil
			}
		}
	}
	return t.telegram.TapData(a.Person, a.Person, a.Message, a.Data)
}

func (t *instance) sendText(a page.Action) error {
	var how []telegram.SayOption
	if a.ReplyTo != 0 {
		how = append(how, telegram.ReplyTo(a.ReplyTo))
	}
	_, err := t.telegram.Say(a.Person, a.Person, a.Text, how...)
	return err
}

func (t *instance) askTourStep(id string) error {
	steps := t.steps[t.language()]
	i := slices.IndexFunc(steps, func(s tourStep) bool { return s.id == id && s.asks() })
	if i < 0 {
		return fmt.Errorf("there is no question %q", id)
	}
	if err := t.hermes.waitFor(steps[i].ttl); err != nil {
		return err
	}
	t.scripted.ask(steps[i])
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked[id]++
	return nil
}

// breakOrMend breaks or mends something.
func (t *instance) breakOrMend(id, do string) error {
	wires := map[string]*cutTransport{"telegram": t.toPhone, "opencode": t.toAgent}
	switch w := wires[id]; {
	case id == "hermes" && do == "kill":
		t.killHermes()
	case id == "hermes" && do == "start":
		return t.hermes.start()
	case w != nil && do == "cut":
		w.cut()
	case w != nil && do == "mend":
		w.mend()
	case id == "opencode" && do == "restart" && w != nil:
		t.scripted.server.Restart()
	default:
		return fmt.Errorf("%q cannot be done", do)
	}
	return nil
}

// File implements [page.World].
func (t *instance) File(person int64, message int) (page.Document, []byte, bool) {
	for _, m := range t.telegram.Messages(person) {
		if m.ID == message && m.Document != nil && !m.Deleted {
			return page.Document{Name: m.Document.Name, Size: len(m.Document.Data)}, m.Document.Data, true
		}
	}
	return page.Document{}, nil, false
}

// userIDs are the people as hermes' configuration wants them.
func userIDs(people []telegram.User) []chat.UserID {
	var ids []chat.UserID
	for _, u := range people {
		ids = append(ids, chat.UserID(u.ID))
	}
	return ids
}
