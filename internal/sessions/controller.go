package sessions

import (
	"strings"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// Controller drives sessions. Make it with New, and begin its loop with Start. All of its methods but
// Event are for the loop.
type Controller struct {
	*services
	subjects *subjects
	sequence *sequencer
	prompts  *promptQueue
	turns    *turnWatcher
	live     *liveView
	voices   *voiceAnswers
}

// New makes a Controller.
func New(c Config) *Controller {
	l := c.Loop
	if c.Sending == nil {
		c.Sending = func(chat.ID) func() { return func() {} }
	}
	parts := &services{loop: l, log: c.Log, observer: observer{c.Asks}}
	ctl := &Controller{services: parts}
	parts.store = &committer{Store: c.Store, loop: l, log: c.Log}
	parts.chats = &chatBook{Chats: c.Chats, all: map[chat.ID]remote.ChatSettings{}, after: c.TurnAfter}
	parts.outbox = &outbox{
		chat: c.Chat, loop: l, log: c.Log, store: parts.store, chats: parts.chats,
		sending: c.Sending,
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
	return ctl
}

// Start reads what is owed and settled, and begins with what is owed. Its error is the store's.
func (c *Controller) Start() error {
	driving, err := c.store.SessionRecords()
	if err != nil {
		return err
	}
	for _, s := range driving.ChatSettings {
		c.chats.put(s)
	}
	c.turns.loadWatches(driving.TurnWatches)
	c.prompts.loadPrompts(driving.Prompts)
	chats, err := c.store.Chats()
	if err != nil {
		return err
	}
	for _, one := range chats {
		if one.MovedTo != 0 {
			c.Moved(one.ID, one.MovedTo)
		}
	}
	c.live.resumeMessages()
	c.turns.resumeMarks()
	c.prompts.resumeEnds()
	c.loop.After(warmUp, c.sequence.setWarm)
	return nil
}

// Recognize says what sessions know of an input.
func (c *Controller) Recognize(in inbound.Input) inbound.Steering { return c.subjects.recognize(in) }

// Begin gives an input its place among those of its chat, and finds out what it is about, as its
// first message comes in; the calls are in the order of the updates. take is called, once,
// with the whole of it; the Controller then acts on it and consumes its updates. drives says whether the person may drive
// sessions. A crash before the updates are consumed: they are in the inbox.
func (c *Controller) Begin(in inbound.Input, drives bool) (take func(whole inbound.Input)) {
	p := c.sequence.place(in, drives)
	return func(whole inbound.Input) {
		p.whole = &whole
		c.sequence.handOn(p)
	}
}

// AskMeaning asks the writer of a text whether it is an answer to t, or a command. Two buttons
// say which, inbound.ButtonAnswer and ButtonCommand, by the text's update.
func (c *Controller) AskMeaning(in inbound.Input, t question.Thread) {
	c.respond.say(in, ui.AnswerOrCommand(in.Text, t, in.Update))
}

// Dismiss consumes an input that means nothing more, and acknowledges a tap.
func (c *Controller) Dismiss(in inbound.Input) {
	c.respond.consume(in)
	if in.Kind == inbound.Tapped {
		c.outbox.answerTap(in, nil)
	}
}

// Moved follows a group that became a supergroup: what the chat has settled on, and what
// its people wait for, is the new one's from then on. Messages stay behind in the old
// group, where nobody can write any more, and the new one numbers its own anew; so which
// session they belong to does not follow. It may be said again.
func (c *Controller) Moved(from, to chat.ID) {
	to = c.chats.Current(to)
	c.store.commit(storage.Change{
		ChatSettings: c.chats.moveChat(from, to), Prompts: c.prompts.moveChat(from, to), TurnWatches: c.turns.moveChat(from, to),
	})
}

// Event takes in what OpenCode said. It may be called from anywhere, and never waits.
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
