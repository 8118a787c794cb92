package sessions

import (
	"context"
	"errors"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// promptQueue brings prompts to their sessions, those of one session one after another, so
// that they stay in their order.
type promptQueue struct {
	*Controller

	lines  map[session.ID][]*queuedPrompt // oldest first
	untold []remote.QueuedPrompt          // ends that an earlier life of hermes may not have told
}

func newPromptQueue(c *Controller) *promptQueue {
	return &promptQueue{Controller: c, lines: map[session.ID][]*queuedPrompt{}}
}

// loadPrompts takes over what an earlier life of hermes owed, oldest first.
func (q *promptQueue) loadPrompts(list []remote.QueuedPrompt) {
	for _, p := range list {
		if p.End.Kind != "" {
			q.untold = append(q.untold, p)
			continue
		}
		id := p.Prompt.Session
		q.lines[id] = append(q.lines[id], &queuedPrompt{QueuedPrompt: p, away: true})
	}
}

// accept makes a prompt of an input, for the agent and model that the chat has chosen
// for that session. What the person wrote belongs to the session then.
func (q *promptQueue) accept(in inbound.Input, to target, prompt session.Prompt) {
	q.add(in, to, q.newPrompt(in, to, prompt), in.Messages())
}

// add stores a prompt of an input, and that these messages belong to its session. The commit point: a crash before it, and
// the updates come again; behind it, and the prompt is owed.
func (q *promptQueue) add(in inbound.Input, to target, p remote.QueuedPrompt, messages []chat.MessageID) {
	q.finish(in, storage.Change{
		MessageRefs: to.messages(in.Chat, messages), Prompts: []remote.QueuedPrompt{p}, Entries: []storage.Entry{
			{Kind: storage.EntryPrompted, Thread: p.ID, Session: to.session, By: p.By, Note: inWords(p.Prompt)},
		},
	})
	q.addStored(p)
}

// newPrompt is what is owed for a prompt that came in an input.
func (q *promptQueue) newPrompt(in inbound.Input, to target, prompt session.Prompt) remote.QueuedPrompt {
	prompt.Session = to.session
	if chat := q.chats.settings(in.Chat); chat.Session == to.session {
		prompt.Agent, prompt.Model = chat.Agent, chat.Model
	}
	return remote.QueuedPrompt{
		ID: question.NewID(), Place: session.Place{Title: to.title, Root: to.session}, Origin: to.origin, Prompt: prompt,
		Chat: in.Chat, Topic: in.Topic, Message: in.Message, By: in.Author(), Lang: in.User.Lang, At: time.Now(), Asked: to.asked,
	}
}

// inWords is a prompt in words, for the journal.
func inWords(p session.Prompt) string {
	var words []string
	if p.Command != "" {
		words = append(words, "/"+p.Command)
	}
	for _, part := range p.Parts {
		if part.Text != "" {
			words = append(words, part.Text)
		} else if part.Name != "" {
			words = append(words, "["+part.Name+"]")
		}
	}
	return strings.Join(words, " ")
}

// addStored sets to work on a prompt that is stored.
func (q *promptQueue) addStored(stored remote.QueuedPrompt) {
	id, p := stored.Prompt.Session, &queuedPrompt{QueuedPrompt: stored}
	q.lines[id] = append(q.lines[id], p)
	q.reactTo(p, reactionSeen, func(error) {})
	q.setReachable(id)
	q.advance(id)
}

// originOpened continues with what had to wait for an OpenCode.
func (q *promptQueue) originOpened(o session.Origin) {
	for id, line := range q.lines {
		if len(line) > 0 && (q.routes.mayHave(o, line[0].Origin) || q.routes.mayHave(o, q.routes.lastHeard(id))) {
			line[0].Tries.Next = time.Time{}
			q.setReachable(id)
			q.advance(id)
		}
	}
}

// setReachable notes that the prompts of a session need not wait for an OpenCode to be heard
// of: not the oldest one, nor those behind it.
func (q *promptQueue) setReachable(id session.ID) {
	for _, p := range q.lines[id] {
		p.away = false
	}
}

// advance does what is owed for the oldest prompt of a session, and sets its alarm.
func (q *promptQueue) advance(id session.ID) {
	if len(q.lines[id]) == 0 {
		delete(q.lines, id)
		return
	}
	p := q.lines[id][0]
	steps, wake := p.Next(time.Now())
	p.alarm.set(q.loop, wake, func() { q.advance(id) })
	for _, s := range steps {
		if s == endStep || q.loop.Running() { // at the end of hermes nothing begins: the next start does it
			q.doStep(p, s)
		}
	}
}

func (q *promptQueue) doStep(p *queuedPrompt, s step) {
	switch s {
	case deliverStep:
		if p.Prompt.ID == "" && q.routes.isOthers(p.QueuedPrompt) {
			q.conclude(p, outcome{end: remote.PromptNotYours}) // it was never sent
			return
		}
		p.busy = true
		owed, along := p.QueuedPrompt, q.routes.forPrompt(p.QueuedPrompt)
		q.loop.Beside(func(ctx context.Context) func() {
			o := q.deliver(ctx, p, owed, along)
			return func() { q.takeOutcome(p, o) }
		})
	case giveUpStep:
		q.conclude(p, outcome{end: remote.PromptGivenUp})
	case endStep:
		q.takeOff(p)
	}
}

// takeOutcome takes in what came of a try.
func (q *promptQueue) takeOutcome(p *queuedPrompt, o outcome) {
	p.busy = false
	switch {
	case o.end != "":
		q.conclude(p, o)
		return
	case errors.Is(o.err, loop.ErrEnded):
		return
	}
	p.Tries.Made++
	p.Tries.Next = time.Now().Add(retry.Backoff(p.Tries.Made, firstPause, lastPause))
	q.log.Debug("a prompt was not delivered", "session", string(p.Prompt.Session), "attempt", p.Tries.Made, "err", o.err)
	if errors.Is(o.err, errAway) || p.Tries.Made > 1 {
		q.acknowledge(p, o.tellOpen(), p.target())
	}
	q.advance(p.Prompt.Session)
}

// conclude notes how a prompt has ended.
func (q *promptQueue) conclude(p *queuedPrompt, o outcome) {
	p.outcome, p.ended = &o, time.Now()
	q.advance(p.Prompt.Session)
}

// takeOff takes a prompt off the queue. What it leaves behind is a watch for the end of its
// turn, in the same transaction.
func (q *promptQueue) takeOff(p *queuedPrompt) {
	o, about := *p.outcome, p.target()
	c := storage.Change{EndedPrompts: []question.ID{p.ID}, Entries: []storage.Entry{{
		At: p.ended, Kind: storage.EntryCarried, Thread: p.ID, Session: p.Prompt.Session, Detail: string(o.end),
	}}}
	var w *turnWatch
	if o.route.Agent != nil {
		about = foundAt(o.route, o.session)
	}
	if isDelivered(o.end) && !p.Prompt.NoReply {
		w = q.turns.prepareFor(p.listener(), about)
		c.TurnWatches = []remote.TurnWatch{w.TurnWatch}
	} else { // only words tell of it, and a crash before they do must not lose them
		ended := p.QueuedPrompt
		ended.End = remote.PromptEnd{Kind: o.end, Reason: reasonOf(o.err), File: o.file.Name}
		c.EndedPrompts, c.Prompts = nil, []remote.QueuedPrompt{ended}
	}
	q.commit(c)
	q.lines[p.Prompt.Session] = q.lines[p.Prompt.Session][1:]
	if w != nil {
		q.turns.watchBy(w, q.config.IdleDelay)
	} else {
		p.End = c.Prompts[0].End
	}
	if o.end == remote.PromptRefused {
		q.log.Warn("a prompt was refused", "session", string(p.Prompt.Session), "err", o.err)
	}
	q.tellEnd(p, o.tell(), about)
	q.advance(p.Prompt.Session)
}

// countOf is how many prompts are owed that a chat has sent.
func (q *promptQueue) countOf(chat chat.ID) (n int) {
	for _, line := range q.lines {
		for _, p := range line {
			if p.Chat == chat {
				n++
			}
		}
	}
	return n
}

func (q *promptQueue) originOf(id session.ID) session.Origin {
	if line := q.lines[id]; len(line) > 0 {
		return line[0].Origin
	}
	return session.Origin{}
}

func (q *promptQueue) eachSession(f func(session.ID)) {
	for id := range q.lines {
		f(id)
	}
}

// moveChat gives the prompts of a chat to another one, and returns what to store.
func (q *promptQueue) moveChat(from, to chat.ID) []remote.QueuedPrompt {
	var moved []remote.QueuedPrompt
	for _, line := range q.lines {
		for _, p := range line {
			if p.Chat == from {
				p.Chat, p.Topic, p.Message, p.Ack = to, 0, 0, 0
				moved = append(moved, p.QueuedPrompt)
			}
		}
	}
	return moved
}
