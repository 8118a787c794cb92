package sessions

import (
	"log/slog"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// Controller drives sessions. Make it with New, and begin its loop with Start. All of its methods but
// Event are for the loop.
type Controller struct {
	config Config
	loop   *loop.Loop
	log    *slog.Logger

	chats    *chatBook
	routes   *routes
	observer observer
	files    fileSource
	choices  *pendingChoices
	prompts  *promptQueue
	turns    *turnWatcher
	live     *liveView

	hears    bool           // voices can be written down
	early    []*placedInput // what came in before any OpenCode was heard of
	warm     bool           // nothing is early any more
	newest   time.Time      // for which a session was made
	replies  pace.People    // to who only wants to be told something
	refusals pace.People    // of what does not count
}

// New makes a Controller.
func New(config Config) *Controller {
	if config.Sending == nil {
		config.Sending = func(chat.ID) func() { return func() {} }
	}
	for _, told := range []*func(){&config.Skipped, &config.Foreign} {
		if *told == nil {
			*told = func() {}
		}
	}
	c := &Controller{
		config: config, loop: config.Loop, log: config.Log, observer: observer{config.Asks},
		chats:   &chatBook{Chats: config.Chats, all: map[chat.ID]remote.ChatSettings{}, after: config.TurnAfter},
		files:   fileSource{config.Fetch, config.Hear, config.Log},
		choices: newPendingChoices(config.Loop), hears: config.Hear != nil,
		replies: pace.People{Burst: replyBurst, Every: replyEvery}, refusals: pace.People{Burst: 1, Every: refuseEvery},
	}
	c.turns, c.prompts, c.live = newTurnWatcher(c), newPromptQueue(c), newLiveView(c)
	c.routes = newRoutes(config, c.turns, c.chats, c.prompts)
	return c
}

// Start reads what is owed and settled, and begins with what is owed. Its error is the store's.
func (c *Controller) Start() error {
	driving, err := c.config.Store.SessionRecords()
	if err != nil {
		return err
	}
	for _, s := range driving.ChatSettings {
		c.chats.put(s)
	}
	c.turns.loadWatches(driving.TurnWatches)
	c.prompts.loadPrompts(driving.Prompts)
	for from, to := range c.chats.Moves() { // a kill may have come before they had all that is here
		c.Moved(from, to)
	}
	c.live.resumeMessages()
	c.turns.resumeMarks()
	c.prompts.resumeEnds()
	c.loop.After(warmUp, c.setWarm)
	return nil
}

// Begin gives an input its place among those of its chat, and finds out what it is about, as its
// first message comes in; the calls are in the order of the updates. take is called, once,
// with the whole of it; the Controller then acts on it and consumes its updates. drives says whether the person may drive
// sessions. A crash before the updates are consumed: they are in the inbox.
func (c *Controller) Begin(in inbound.Input, drives bool) (take func(whole inbound.Input)) {
	p := c.place(in, drives)
	return func(whole inbound.Input) {
		p.whole = &whole
		c.handOn(p)
	}
}

// AskMeaning asks the writer of a text whether it is an answer to t, or a command. Two buttons
// say which, inbound.ButtonAnswer and ButtonCommand, by the text's update.
func (c *Controller) AskMeaning(in inbound.Input, t question.Thread) {
	c.say(in, ui.AnswerOrCommand(in.Text, t, in.Update))
}

// Dismiss consumes an input that means nothing more, and acknowledges a tap.
func (c *Controller) Dismiss(in inbound.Input) {
	c.consume(in)
	if in.Kind == inbound.Tapped {
		c.answerTap(in, nil)
	}
}

// Moved follows a group that became a supergroup: what the chat has settled on, and what
// its people wait for, is the new one's from then on. Messages stay behind in the old
// group, where nobody can write any more, and the new one numbers its own anew; so which
// session they belong to does not follow. It may be said again.
func (c *Controller) Moved(from, to chat.ID) {
	to = c.chats.Current(to)
	c.commit(storage.Change{
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
	c.setWarm()
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
