package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// How often one person is answered who only wants to be told something: so many times at
// once, and once more after each while. Prompts and what changes something have no such
// limit.
const (
	replyBurst = 10
	replyEvery = 6 * time.Second
	// refuseEvery is the same for being told that something does not count.
	refuseEvery = time.Minute
)

// finish stores what an input meant, and consumes its update, and those of the
// inputs that go with it.
func (c *Controller) finish(in inbound.Input, change storage.Change) {
	change.Consumed = append(change.Consumed, in.Updates()...)
	c.commit(change)
	c.choices.release(in)
}

// consume is finish for an input that has no effect.
func (c *Controller) consume(in inbound.Input) { c.finish(in, storage.Change{}) }

// say replies to an input, about no session.
func (c *Controller) say(in inbound.Input, text ui.Text) {
	c.tell(addressedTo(in, text), target{}, nil)
}

// addressedTo is a message for the person and place of an input.
func addressedTo(in inbound.Input, text ui.Text) outbound.Message {
	t := outbound.Message{Chat: in.Chat, Topic: in.Topic, Lang: in.User.Lang, Text: text}
	if in.Kind != inbound.Tapped {
		t.ReplyTo = in.Message
	}
	return t
}

// inPlace is the same, in place of the message whose button was tapped.
func inPlace(in inbound.Input, text ui.Text) outbound.Message {
	t := addressedTo(in, text)
	if in.Kind == inbound.Tapped {
		t.Edit = in.Message
	}
	return t
}

// reply answers an input that changes nothing, and can be made again. The update is consumed when the
// answer was tried: a crash before that answers it at the next start.
func (c *Controller) reply(in inbound.Input, text ui.Text) { c.replyAbout(in, text, target{}) }

func (c *Controller) replyAbout(in inbound.Input, text ui.Text, about target) {
	t := inPlace(in, text)
	t.Answer = true
	c.replyWith(in, t, about)
}

// replyFailure answers an input with an error, in words.
func (c *Controller) replyFailure(in inbound.Input, err error) { c.reply(in, failureOf(err, "")) }

// replyWith answers an input with a message, and consumes its update as reply does.
func (c *Controller) replyWith(in inbound.Input, t outbound.Message, about target) {
	c.tell(t, about, func(ids []chat.MessageID, _ error) {
		c.choices.noteMiss(in, ids)
		c.consume(in)
	})
}

// replySeen asks OpenCode about a session, along these routes, and replies with what read makes of
// it, beside the loop.
func (c *Controller) replySeen(in inbound.Input, along []route, to target, read func(context.Context, route, session.Session) (ui.Text, error)) {
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, to.session)
		var text ui.Text
		if err == nil {
			text, err = read(ctx, at, s)
		}
		return func() {
			if err != nil {
				c.replyFailure(in, err)
				return
			}
			c.replyAbout(in, text, foundAt(at, s))
		}
	})
}

// failureOf words an error for people, with a reason that they can do something about, if any.
func failureOf(err error, why remote.Reason) ui.Text {
	switch {
	case errors.Is(err, errGone):
		return ui.NoSuchSession().Text()
	case errors.Is(err, errAway):
		return ui.Offline().Text()
	}
	return ui.Failed(why).Text()
}

// mayReply reports whether a person may be told one more thing. If not, the input is
// consumed, and they are told once that some of it is left out.
func (c *Controller) mayReply(in inbound.Input) bool {
	verdict := c.replies.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Yes {
		return true
	}
	c.consume(in)
	if verdict == pace.Last {
		c.say(in, ui.Paced().Text())
	}
	c.config.Skipped()
	return false
}

// mayRefuse reports whether a person may be told once more that something does not count.
func (c *Controller) mayRefuse(in inbound.Input) bool {
	return c.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes
}

// refuse tells a person that they may not, and notes it.
func (c *Controller) refuse(in inbound.Input) {
	if in.Kind == inbound.Tapped {
		c.refuseTap(in, storage.RefusedNoRole, ui.NoRole(c.config.Roles()))
		return
	}
	c.consumeRefused(in, storage.RefusedNoRole)
	if c.mayRefuse(in) {
		c.say(in, ui.MayNotDrive(c.config.Roles()).Text())
	}
}

// refuseTap consumes a tap that has no effect, notes why, and says so.
func (c *Controller) refuseTap(in inbound.Input, why storage.Refusal, say ui.Line) {
	c.consumeRefused(in, why)
	c.answerTap(in, say)
}

func (c *Controller) consumeRefused(in inbound.Input, why storage.Refusal) {
	c.finish(in, storage.Change{Entries: []storage.Entry{{Kind: storage.EntryRefused, By: in.Author(), Detail: string(why)}}})
}

// passOver consumes an input that does not count, and says why.
func (c *Controller) passOver(in inbound.Input, why ui.Line) {
	c.consume(in)
	switch {
	case in.Kind == inbound.Tapped:
		c.answerTap(in, why)
	case c.mayRefuse(in):
		t := addressedTo(in, why.Text())
		t.Anywhere = true
		c.tell(t, target{}, nil)
	}
}

// The reactions to what people write, of those that Telegram has.
const (
	reactionSeen  = "👀" // it is owed
	reactionTaken = "👍" // it is proven to be in the session
	reactionNone  = ""  // neither
)

// errLeftBehind says that a message is in a group that became another.
var errLeftBehind = errors.New("the message stayed in the group that became a supergroup")

// acknowledgement is the message that tells a person how their prompt stands.
type acknowledgement struct {
	sending bool
	last    remote.PromptStatus // that it told, or is to tell
	next    func()              // what it tells when it is sent
}

// acknowledge tells the person how their prompt stands, in one message that changes.
func (q *promptQueue) acknowledge(p *queuedPrompt, now ui.Prompt, about target) {
	if p.ack.last == now.Status {
		return
	}
	if p.ack.sending {
		p.ack.next = func() { q.acknowledge(p, now, about) }
		return
	}
	p.ack.sending, p.ack.last = true, now.Status
	if now.Session.ID == "" {
		now.Session = about.asSession()
	}
	t := outbound.Message{Chat: p.Chat, Topic: p.Topic, ReplyTo: p.Message, Lang: p.Lang, Edit: p.Ack, Text: now.Text()}
	q.tell(t, about, func(ids []chat.MessageID, err error) {
		p.ack.sending = false
		if len(ids) > 0 {
			p.Ack = ids[len(ids)-1]
			q.noteQueued(p, now, t.Chat)
		}
		if next := p.ack.next; next != nil {
			p.ack.next = nil
			next()
		} else if p.End.Kind != "" {
			q.forgetEnd(p, err)
		} else if line := q.lines[p.Prompt.Session]; len(line) > 0 && line[0] == p {
			q.commit(storage.Change{Prompts: []remote.QueuedPrompt{p.QueuedPrompt}})
		}
	})
}

// resumeEnds tells the ends that an earlier life of hermes may have been killed before it told them: some are told twice, and none never.
func (q *promptQueue) resumeEnds() {
	for _, stored := range q.untold {
		p := &queuedPrompt{QueuedPrompt: stored}
		q.tellEnd(p, ui.Prompt{Status: p.End.Kind, Reason: p.End.Reason, File: chat.File{Name: p.End.File}}, p.target())
	}
	q.untold = nil
}

// forgetEnd forgets a prompt whose end was told, or cannot be; what the network kept back is told by the next start.
func (q *promptQueue) forgetEnd(p *queuedPrompt, err error) {
	if !retry.IsTemporary(err) {
		q.commit(storage.Change{EndedPrompts: []question.ID{p.ID}})
	}
}

// noteQueued notes the message which says that a prompt waits: it is not true any more when the turn is over.
func (q *promptQueue) noteQueued(p *queuedPrompt, now ui.Prompt, in chat.ID) {
	if now.Status == remote.PromptQueued || now.Status == remote.PromptBehind {
		q.turns.addQueued(p.Prompt.Session, remote.Queued{
			Chat: q.chats.Current(in), Message: p.Ack, Keep: p.Message == p.Ack, Title: now.Session.Title, Directory: now.Session.Directory,
		})
	}
}

// reactTo puts a reaction under the message of a prompt. then is called in the loop with
// what became of it. Where that message is hermes' own, it says everything itself.
func (q *promptQueue) reactTo(p *queuedPrompt, emoji string, then func(error)) {
	switch p.Message {
	case 0:
		then(errLeftBehind)
	case p.Ack:
	default:
		q.react(p.Chat, p.Message, emoji, then)
	}
}

// tellEnd tells the person what became of their prompt: by a reaction alone where that says
// it all, and can be set.
func (q *promptQueue) tellEnd(p *queuedPrompt, end ui.Prompt, about target) {
	inWords := func(error) { q.acknowledge(p, end, about) }
	nothing := func(error) {}
	marked := func(error) { q.turns.noteMarked(p.listener()) }
	switch {
	case !isDelivered(end.Status):
		q.reactTo(p, reactionNone, nothing)
		inWords(nil)
	case end.Status == remote.PromptTaken && p.ack.last == "" && p.Ack == 0:
		q.reactTo(p, reactionTaken, func(err error) {
			if marked(err); err != nil {
				inWords(err)
			}
		})
	default:
		q.reactTo(p, reactionTaken, marked)
		inWords(nil)
	}
}

// resumeMarks puts the 👍 under prompts whose sessions are watched, where an earlier life of hermes may have been killed before it did.
func (t *turnWatcher) resumeMarks() {
	for _, w := range t.watches {
		for _, l := range w.For {
			if l.Unmarked && l.Message != 0 && t.chats.Home(l.Chat) {
				t.mark(1, l)
			}
		}
	}
}

// mark makes the n-th attempt to put a 👍 under a prompt. A chat that takes none hears of the end of the turn.
func (t *turnWatcher) mark(n int, l remote.Listener) {
	t.react(l.Chat, l.Message, reactionTaken, func(err error) {
		if retry.IsTemporary(err) && n < maxAttempts {
			t.loop.After(time.Second<<(n-1), func() { t.mark(n+1, l) })
			return
		}
		t.noteMarked(l)
	})
}

// noteMarked notes that a prompt has its 👍, or gets none. It is stored when its watch is stored again: a start before that sets it once more,
// which changes nothing.
func (t *turnWatcher) noteMarked(of remote.Listener) {
	for _, w := range t.watches {
		for i, l := range w.For {
			if l.Chat == of.Chat && l.Message == of.Message {
				w.For[i].Unmarked = false
			}
		}
	}
}
