package bridge_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

const shopDir = "/home/ada/shop-api"

var (
	linkA   = session.Origin{Way: session.Link, Process: "a", Directory: shopDir, Host: "laptop"}
	linkB   = session.Origin{Way: session.Link, Process: "b", Directory: shopDir, Host: "laptop"}
	serverS = session.Origin{Way: session.Direct, Process: "http://opencode", Directory: shopDir}
)

// impostor is another OpenCode, for which everything is always open. It remembers what
// it was sent.
type impostor struct {
	mu  sync.Mutex
	got []string
}

func (i *impostor) Look(context.Context, question.Request) (event.Finding, error) {
	return event.Finding{Kind: event.FoundOpen}, nil
}

func (i *impostor) Resolve(_ context.Context, r question.Request) (question.Request, bool, error) {
	return r, false, nil
}

func (i *impostor) Reply(_ context.Context, r question.Request, answers question.Answers) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.got = slices.Compact(append(i.got, fmt.Sprint(r.ID, answers))) // it says for ever that it is open
	return nil
}

func (i *impostor) Reject(_ context.Context, r question.Request, _ string) error {
	return i.Reply(context.Background(), r, nil)
}

func (i *impostor) wants(t *testing.T, want ...string) {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	if !slices.Equal(i.got, want) {
		t.Errorf("the other OpenCode was sent %q, want %q", i.got, want)
	}
}

// beside plays a story of the agent at one origin and an impostor at others.
func beside(t *testing.T, at session.Origin, alter func(*bridge.Config), story func(*world, *impostor, *int)) {
	t.Helper()
	var other impostor
	foreign := 0
	var w *world
	play(t, func(c *bridge.Config) {
		agents := c.Agents
		c.Agents = func(o session.Origin) (bridge.Agent, bool) {
			if w != nil && o.SameProcess(at) || w == nil {
				return agents(o)
			}
			return &other, true
		}
		c.Foreign = func() { foreign++ }
		if alter != nil {
			alter(c)
		}
	}, func(is *world) {
		w = is
		w.agent.at = at
		story(w, &other, &foreign)
	})
}

// cardOf is what Ada's newest message about a thread shows.
func (w *world) cardOf(id question.ID) (question.View, bool) {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	var last chat.MessageID
	for m, s := range w.chat.screens[adaChat] {
		if s.view.Thread == id {
			last = max(last, m)
		}
	}
	if last == 0 {
		return question.View{}, false
	}
	return w.chat.screens[adaChat][last].view, true
}

// tap answers a thread by its own card.
func (w *world) tap(id question.ID, m question.WizardInput) {
	w.t.Helper()
	view, ok := w.cardOf(id)
	if !ok {
		w.t.Fatalf("%s is not shown", id)
	}
	w.chat.mu.Lock()
	var message chat.MessageID
	for m, s := range w.chat.screens[adaChat] {
		if s.view.Thread == id {
			message = max(message, m)
		}
	}
	w.chat.mu.Unlock()
	m.Rev = view.Step
	w.input(inbound.Input{
		Kind: inbound.Tapped, Chat: adaChat, Private: true, Message: message, Callback: "cb",
		User: chat.User{ID: ada, Name: "Ada"}, Thread: id, Move: m,
	})
}

func (w *world) threadAt(o session.Origin, id question.RequestID) (question.Thread, bool) {
	t, err := w.bridge.Request(w.t.Context(), o, id)
	return t, err == nil
}

// open is how many threads are not let go of.
func (w *world) openThreads() int {
	list, _ := w.bridge.Open(w.t.Context())
	return len(list)
}

func asksOf(r question.Request) []event.Ask { return []event.Ask{{Request: r}} }

// With what another process says of an ask, its record, its card and its answer stay
// just as they are.
func TestOwnership_AnotherProcessHasNoSay(t *testing.T) {
	type attack struct {
		name  string
		event func(r question.Request) event.Event
		own   bool // the other process has an ask of its own by that
	}
	other := func(r question.Request) question.Request {
		if r.Permission != nil {
			r.Permission = command("ls")
		} else {
			r.Items = []question.Item{{Text: "Other?", Options: []question.Option{{Label: "Yes"}, {Label: "No"}}}}
		}
		return r
	}
	attacks := []attack{
		{"replied", func(r question.Request) event.Event {
			return event.Event{Kind: event.Replied, ID: r.ID, Session: r.Session, Answers: question.Answers{{"SQLite"}}}
		}, false},
		{"granted", func(r question.Request) event.Event {
			return event.Event{Kind: event.Replied, ID: r.ID, Session: r.Session, Answers: question.Answers{{question.Always}}}
		}, false},
		{"rejected", func(r question.Request) event.Event {
			return event.Event{Kind: event.Rejected, ID: r.ID, Session: r.Session}
		}, false},
		{"asked otherwise", func(r question.Request) event.Event {
			return event.Event{Kind: event.Asked, Asks: asksOf(other(r))}
		}, true},
		{"asked just so", func(r question.Request) event.Event {
			return event.Event{Kind: event.Asked, Asks: asksOf(r)}
		}, true},
		{"asked by the same call", func(r question.Request) event.Event {
			r.ID += "x"
			return event.Event{Kind: event.Asked, Asks: asksOf(r)}
		}, true},
		{"listed otherwise", func(r question.Request) event.Event {
			return event.Event{Kind: event.Opened, Asks: asksOf(other(r))}
		}, true},
		{"listed nothing", func(question.Request) event.Event { return event.Event{Kind: event.Opened} }, false},
		{"captured", func(r question.Request) event.Event {
			r.ID, r.Message = "", ""
			return event.Event{Kind: event.Captured, Asks: asksOf(r)}
		}, true},
		{"touched", func(r question.Request) event.Event {
			return event.Event{Kind: event.Touched, Session: r.Session}
		}, false},
		{"finished", func(r question.Request) event.Event {
			return event.Event{Kind: event.Finished, Session: r.Session}
		}, false},
		{"named", func(r question.Request) event.Event {
			asks := asksOf(r)
			asks[0].Place = session.Place{Title: "harmless", Root: r.Session}
			return event.Event{Kind: event.Named, Asks: asks}
		}, false},
		{"lost", func(question.Request) event.Event { return event.Event{Kind: event.Lost} }, false},
		{"closed", func(question.Request) event.Event { return event.Event{Kind: event.Closed} }, false},
	}
	for _, victim := range []session.Origin{linkA, serverS} {
		for _, leave := range []bool{false, true} {
			for _, a := range attacks {
				t.Run(fmt.Sprint(victim.Way, leave, a.name), func(t *testing.T) {
					beside(t, victim, nil, func(w *world, b *impostor, foreign *int) {
						ask := func() question.RequestID {
							if leave {
								return w.agent.askLeave("ses_1", "rm -rf /srv")
							}
							return w.agent.ask(oneItem())
						}
						id := ask()
						w.wait(time.Second)
						before, _ := w.threadAt(victim, id)
						card, _ := w.cardOf(before.ID)
						e := a.event(before.Request)
						e.Origin = linkB
						w.bridge.Event(e)
						w.bridge.Event(e)
						w.wait(3 * time.Minute)
						after, _ := w.threadAt(victim, id)
						if shown, _ := w.cardOf(after.ID); !reflect.DeepEqual(after, before) || !reflect.DeepEqual(shown, card) {
							t.Errorf("the record was\n%+v\nand is\n%+v\nthe card was\n%+v\nand is\n%+v", before, after, card, shown)
						}
						if (w.openThreads() == 2) != a.own {
							t.Errorf("%d threads are open", w.openThreads())
						}
						w.bridge.Event(event.Event{Kind: event.Lost, Origin: linkB})
						w.bridge.Event(event.Event{Kind: event.Closed, Origin: linkB})
						if leave {
							w.tap(after.ID, once)
						} else {
							w.tap(after.ID, question.WizardInput{Action: question.Pick, Option: 1})
						}
						w.wait(5 * time.Second)
						if leave {
							w.decided(id, question.Once)
						} else {
							w.got(id, question.Answers{{"PostgreSQL (Recommended)"}})
						}
						if shown, _ := w.cardOf(after.ID); shown.Outcome == nil || shown.Outcome.By.Name != "Ada" {
							t.Errorf("the card ends as %+v", shown.Outcome)
						}
						b.wants(t)
					})
				})
			}
		}
	}
}

// Two asks of one id are answered each at the process that announced it, also after a
// restart.
func TestOwnership_SameIDOfTwoProcessesIsTwoAsks(t *testing.T) {
	beside(t, linkA, nil, func(w *world, b *impostor, foreign *int) {
		id := w.agent.askLeave("ses_1", "rm -rf /srv")
		w.wait(time.Second)
		mine, _ := w.threadAt(linkA, id)
		r := mine.Request
		r.Permission = command("ls")
		w.bridge.Event(event.Event{Kind: event.Asked, Origin: linkB, Asks: asksOf(r)})
		w.wait(time.Second)
		w.restart()
		w.bridge.Event(event.Event{Kind: event.Opened, Origin: linkB, Asks: asksOf(r)})
		w.wait(time.Second)
		theirs, ok := w.threadAt(linkB, id)
		mine, _ = w.threadAt(linkA, id)
		if !ok || theirs.ID == mine.ID || mine.Request.Permission.Command != "rm -rf /srv" || theirs.Request.Permission.Command != "ls" || w.openThreads() != 2 {
			w.t.Fatalf("there are %+v and %+v", mine, theirs)
		}
		w.tap(theirs.ID, once)
		w.wait(5 * time.Second)
		w.decided(id, "")
		b.wants(t, fmt.Sprint(id, question.Answers{{question.Once}}))
		w.tap(mine.ID, question.WizardInput{Action: question.Dismiss})
		w.wait(5 * time.Second)
		if shown, _ := w.cardOf(mine.ID); shown.Outcome == nil || shown.Outcome.Kind != question.OutcomeDismissed {
			t.Errorf("the card ends as %+v", shown.Outcome)
		}
	})
}

// A link that tells a server's ask first has it decided by nothing that the server's own
// would not have been decided by.
func TestOwnership_LinkCannotHaveAServersAskDecidedOtherwise(t *testing.T) {
	r := question.Request{ID: "per_1", Protocol: session.V1, Session: "ses_1", Message: "msg", Call: "call", Agent: "build", Permission: command("make")}
	sandbox, elsewhere := linkB, r
	sandbox.Directory = "/sandbox"
	elsewhere.Permission = command("ls")
	for name, first := range map[string]event.Event{
		"another directory": {Kind: event.Asked, Origin: sandbox, Asks: asksOf(r)},
		"another command":   {Kind: event.Asked, Origin: linkB, Asks: asksOf(elsewhere)},
		"another detail": {Kind: event.Asked, Origin: linkB, Asks: asksOf(func() question.Request {
			r := r
			p := *r.Permission
			p.Details = []question.Detail{{Name: "description", Text: "harmless"}}
			r.Permission = &p
			return r
		}())},
	} {
		t.Run(name, func(t *testing.T) {
			beside(t, serverS, nil, func(w *world, b *impostor, foreign *int) {
				w.bridge.Event(first)
				w.wait(time.Second)
				w.agent.requests[r.ID] = &asked{request: r, found: event.FoundOpen, listed: true, leave: &leave{}}
				theirs, _ := w.threadAt(first.Origin, r.ID)
				w.tap(theirs.ID, once)
				w.bridge.Event(event.Event{Kind: event.Asked, Origin: serverS, Asks: asksOf(r)})
				w.wait(10 * time.Second)
				is, ok := w.threadAt(serverS, r.ID)
				if !ok || is.ID == theirs.ID || is.Decision != nil || is.Origins[0] != serverS || !reflect.DeepEqual(is.Request, r) {
					t.Errorf("the server's ask is %+v", is)
				}
				w.decided(r.ID, "")
			})
		})
	}
}

// What a rule of a directory rejects of a link that says it is there, it does not reject of
// the server that is elsewhere.
func TestOwnership_RuleForALinkDoesNotDecideForAServer(t *testing.T) {
	r := question.Request{ID: "per_1", Protocol: session.V1, Session: "ses_1", Message: "msg", Call: "call", Agent: "build", Permission: command("git push")}
	for directory, reply := range map[string]string{"/sandbox": "", shopDir: "reject"} {
		rules := team(t, "\n[[rule]]\nname = \"here\"\ndirectory = \""+directory+"\"\npermission = \"bash\"\npattern = \"git *\"\ndecide = \"reject\"\n")
		alter := func(c *bridge.Config) { c.Rules = rules.WithDefault(policy.Target{Chat: adaChat}) }
		beside(t, serverS, alter, func(w *world, _ *impostor, _ *int) {
			w.agent.requests[r.ID] = &asked{request: r, found: event.FoundOpen, listed: true, leave: &leave{}}
			there := linkB
			there.Directory = directory
			w.bridge.Event(event.Event{Kind: event.Asked, Origin: there, Asks: asksOf(r)})
			w.bridge.Event(event.Event{Kind: event.Asked, Origin: serverS, Asks: asksOf(r)})
			w.wait(10 * time.Second)
			w.decided(r.ID, reply)
			if is, ok := w.threadAt(serverS, r.ID); !ok || is.Settled() != (reply != "") {
				t.Errorf("in %s the server's ask is %+v", directory, is)
			}
		})
	}
}

// The journal names the token by which what an OpenCode asked and told came in.
func TestOwnership_JournalNamesTheLink(t *testing.T) {
	at := session.Origin{Way: session.Link, Process: "p", Directory: shopDir, Token: "laptop-7"}
	beside(t, at, nil, func(w *world, _ *impostor, _ *int) {
		r := question.Request{ID: "que_1", Protocol: session.V1, Session: "ses_1", Items: []question.Item{{Text: "And?"}}}
		w.bridge.Event(event.Event{Kind: event.Asked, Origin: at, Asks: asksOf(r)})
		w.bridge.Event(event.Event{Kind: event.Replied, Origin: at, ID: r.ID, Session: r.Session, Answers: question.Answers{{"yes"}}})
		w.wait(time.Second)
		tokens := map[storage.EntryKind]string{}
		w.journalOf(r.ID, func(e storage.Entry) { tokens[e.Kind] = e.By.Token })
		if tokens[storage.EntryAsked] != "link laptop-7" || tokens[storage.EntryElsewhere] != "link laptop-7" {
			t.Errorf("the journal names %q", tokens)
		}
	})
}
