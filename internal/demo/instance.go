package demo

import (
	"errors"
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
	prompt   func(text string) error // nil: the agent takes none here
	title    string
	steps    []tourStep
	ledger   *snapshot
	log      *logTail

	mu    sync.Mutex
	asked map[string]int // by step
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
		Title: t.title, Advice: append([]string{}, t.agent.advice()...), Prompt: t.prompt != nil,
		Ways: t.connections(), Tour: t.tourProgress(), Asks: t.agent.openAsks(), Log: t.log.lastLines(),
	}
	s.Open, s.Journal = t.ledger.pageView()
	alerts := t.telegram.Alerts()
	for _, u := range t.people {
		s.People = append(s.People, page.Person{
			ID: u.ID, Name: u.FirstName, Messages: viewMessages(t.telegram.Messages(u.ID)), Alerts: lastAlerts(alerts, u.ID),
		})
	}
	return s
}

func (t *instance) tourProgress() []page.Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := []page.Step{}
	for _, s := range t.steps {
		list = append(list, page.Step{ID: s.id, Title: s.title, Hint: s.hint, Asked: t.asked[s.id]})
	}
	return list
}

func (t *instance) connections() []page.Way {
	hermes := page.Way{ID: "hermes", Name: "hermes", State: t.hermes.stateName(), Up: t.hermes.currentRun() != nil}
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
	case "prompt":
		return "", t.sendPrompt(a.Text)
	case "answer", "dismiss":
		return "", t.agent.answerInTerminal(a.ID, a.Do == "dismiss")
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
	i := slices.IndexFunc(t.steps, func(s tourStep) bool { return s.id == id })
	if i < 0 {
		return fmt.Errorf("there is no question %q", id)
	}
	if err := t.hermes.waitFor(t.steps[i].ttl); err != nil {
		return err
	}
	if err := t.agent.ask(t.steps[i]); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked[id]++
	return nil
}

func (t *instance) sendPrompt(text string) error {
	if t.prompt == nil {
		return errors.New("this agent takes no prompts from here")
	}
	return t.prompt(text)
}

// breakOrMend breaks or mends something.
func (t *instance) breakOrMend(id, do string) error {
	wires := map[string]*cutTransport{"telegram": t.toPhone, "opencode": t.toAgent}
	switch w := wires[id]; {
	case id == "hermes" && do == "kill":
		t.hermes.kill()
	case id == "hermes" && do == "start":
		return t.hermes.start()
	case w != nil && do == "cut":
		w.cut()
	case w != nil && do == "mend":
		w.mend()
	case id == "opencode" && do == "restart" && w != nil:
		return t.agent.restart()
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
