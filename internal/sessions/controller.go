package sessions

import (
	"context"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Controller drives sessions. Make it with New, then Run it; the other methods may be called
// concurrently, at any time, and all but Dismiss never wait.
type Controller struct {
	*services
	subjects *subjects
	sequence *sequencer
	prompts  *promptQueue
	turns    *turnWatcher
	live     *liveView
	voices   *voiceAnswers
}

// New makes a Controller and reads what is owed and settled: what people write right after
// the start is understood by it. Its error is the store's.
func New(c Config) (*Controller, error) {
	l := loop.New(grace, errEnding)
	if c.Sending == nil {
		c.Sending = func(chat.ID) func() { return func() {} }
	}
	parts := &services{loop: l, log: c.Log, observer: observer{c.Asks}}
	ctl := &Controller{services: parts}
	parts.store = &committer{Store: c.Store, loop: l, log: c.Log}
	parts.chats = newChatBook(c.Home, c.TurnAfter)
	parts.outbox = &outbox{
		chat: c.Chat, loop: l, log: c.Log, store: parts.store, chats: parts.chats,
		sending: c.Sending, moved: ctl.moveChat,
	}
	choices := newPendingChoices(l)
	parts.respond = newResponder(parts, c, choices)
	ctl.turns = newTurnWatcher(parts, c.IdleDelay)
	ctl.prompts = newPromptQueue(parts, c, ctl.turns)
	ctl.live = newLiveView(parts, c)
	parts.routes = newRoutes(c, ctl.turns, parts.chats, ctl.prompts)
	ctl.subjects = &subjects{parts, choices, c.Hear != nil}
	ctl.voices = &voiceAnswers{parts, ctl.prompts.files}
	receiver := &dispatcher{
		services: parts, prompts: ctl.prompts, hears: c.Hear != nil, links: c.Links,
		queries:  &queries{parts, ctl.prompts, c.Machines},
		chooser:  &chooser{parts, choices, ctl.live},
		maker:    &sessionMaker{services: parts, choices: choices, live: ctl.live, places: c.Places},
		stopper:  &stopper{parts, ctl.turns},
		unlinker: &unlinker{parts, c.Machines, c.Unlink},
		drafts:   &drafts{parts, choices, ctl.prompts},
	}
	ctl.sequence = &sequencer{services: parts, choices: choices, subjects: ctl.subjects, receiver: receiver}
	return ctl, ctl.load(c.Store)
}

func (c *Controller) load(store Loader) error {
	driving, err := store.SessionRecords()
	if err != nil {
		return err
	}
	for _, s := range driving.ChatSettings {
		c.chats.put(s)
	}
	c.turns.loadWatches(driving.TurnWatches)
	c.prompts.loadPrompts(driving.Prompts)
	chats, err := store.Chats()
	if err != nil {
		return err
	}
	for _, one := range chats {
		if moved := c.followMove(one.ID, one.MovedTo); !moved.Empty() {
			if err := c.store.Commit(moved); err != nil {
				return err
			}
		}
	}
	return nil
}

// grace is how long Run waits at its end for what is under way.
const grace = 4 * time.Second

// Run does what is owed until ctx ends; what is under way then gets some seconds. What does
// not end in time is looked for at the next start, as after a crash. Its error is the store's, which did not take a change:
// then nothing more is done.
func (c *Controller) Run(ctx context.Context) error { return c.loop.Run(ctx, c.start, func() {}) }

func (c *Controller) start() error {
	c.live.resumeMessages()
	c.turns.resumeMarks()
	c.prompts.resumeEnds()
	c.loop.After(warmUp, c.sequence.setWarm)
	return nil
}

// Recognize says what sessions know of an input. It reads the store, and never waits for
// the loop.
func (c *Controller) Recognize(in inbound.Input) inbound.Steering { return c.subjects.recognize(in) }

// Begin gives an input its place among those of its chat, and finds out what it is about, as its
// first message comes in; the calls are in the order of the updates. take is called, once,
// with the whole of it; the Controller then acts on it and consumes its updates. drives says whether the person may drive
// sessions. A crash before the updates are consumed: they are in the inbox.
func (c *Controller) Begin(in inbound.Input, drives bool) (take func(whole inbound.Input)) {
	p := c.sequence.place(in, drives)
	return func(whole inbound.Input) { c.sequence.complete(p, whole) }
}

// AskMeaning asks the writer of a text whether it is an answer to t, or a command. Two buttons
// say which, inbound.ButtonAnswer and ButtonCommand, by the text's update.
func (c *Controller) AskMeaning(in inbound.Input, t question.Thread) {
	c.loop.Post(func() {
		c.respond.say(in, remote.Message{Kind: remote.TellDoubt, Text: in.Text, Asks: []question.Thread{t}, Update: in.Update})
	})
}

// Dismiss consumes an input that means nothing more, and acknowledges a tap. It waits until that
// is stored. Its error is ctx's, or says that Run has ended: the updates are then still in the inbox.
func (c *Controller) Dismiss(ctx context.Context, in inbound.Input) error {
	return c.loop.Do(ctx, func() {
		c.respond.consume(in)
		if in.Kind == inbound.Tapped {
			c.outbox.answerTap(in, outbound.Alert{})
		}
	})
}

// Moved follows a group that became a supergroup: what the chat has settled on, and what
// its people wait for, is the new one's from then on. Messages stay behind in the old
// group, where nobody can write any more, and the new one numbers its own anew; so which
// session they belong to does not follow. It may be said again, and never waits.
func (c *Controller) Moved(from, to chat.ID) { c.loop.Post(func() { c.moveChat(from, to) }) }

func (c *Controller) moveChat(from, to chat.ID) { c.store.commit(c.followMove(from, to)) }

// followMove gives what a chat has to another one, and returns what to store.
func (c *Controller) followMove(from, to chat.ID) storage.Change {
	if to == 0 || c.chats.successorOf(to) == from {
		return storage.Change{}
	}
	to = c.chats.noteMove(from, to)
	return storage.Change{ChatSettings: c.chats.moveChat(from, to), Prompts: c.prompts.moveChat(from, to), TurnWatches: c.turns.moveChat(from, to)}
}

// Event takes in what OpenCode said. It never waits.
func (c *Controller) Event(e event.Event) {
	switch e.Kind {
	case event.Lost, event.Closed:
		c.loop.Post(func() { c.originLost(e.Origin, e.Kind == event.Closed) })
	case event.Opened, event.Worked, event.Rested, event.Asked, event.Failed, event.Retried,
		event.Replied, event.Rejected, event.Spoke:
		if e.Origin.Way == session.AskAPI || strings.TrimSpace(e.Origin.Directory) == "" {
			return
		}
		c.loop.Post(func() { c.takeEvent(e) })
	}
}

func (c *Controller) originLost(o session.Origin, closed bool) {
	c.routes.removeOrigin(o)
	c.live.originLost(o, closed)
	if closed {
		c.turns.originClosed(o)
	}
}

func (c *Controller) takeEvent(e event.Event) {
	isNew := c.routes.addOrigin(e.Origin)
	switch e.Kind {
	case event.Worked, event.Rested, event.Failed, event.Retried, event.Spoke:
		if c.routes.believes(e.Origin, e.Session) {
			c.takeSessionEvent(e)
		} else {
			c.routes.reportForeign(e)
		}
	default:
		c.live.takeEvent(e)
	}
	if isNew || e.Kind == event.Opened {
		c.prompts.originOpened(e.Origin)
		c.turns.originOpened(e.Origin)
	}
	c.sequence.setWarm()
}

// takeSessionEvent takes in what a session's OpenCode said of it.
func (c *Controller) takeSessionEvent(e event.Event) {
	switch e.Kind {
	case event.Worked:
		c.routes.noteHeard(e)
		c.turns.sessionWorks(e)
	case event.Rested:
		c.routes.noteHeard(e)
		c.turns.sessionRests(e)
	case event.Failed:
		c.turns.sessionFails(e)
	case event.Retried:
		c.turns.sessionRetries(e)
	}
	c.live.takeEvent(e)
}
