package sessions

import (
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/storage"
)

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
	last    remote.MessageKind // that it told, or is to tell
	next    func()             // what it tells when it is sent
}

// acknowledge tells the person how their prompt stands, in one message that changes.
func (q *promptQueue) acknowledge(p *queuedPrompt, t remote.Message, about target) {
	if p.ack.last == t.Kind {
		return
	}
	if p.ack.sending {
		p.ack.next = func() { q.acknowledge(p, t, about) }
		return
	}
	p.ack.sending, p.ack.last = true, t.Kind
	if t.Session.ID == "" {
		t.Session = about.asSession()
	}
	t.Chat, t.Topic, t.ReplyTo, t.Lang, t.Edit = p.Chat, p.Topic, p.Message, p.Lang, p.Ack
	q.outbox.tell(t, about, func(ids []chat.MessageID, err error) {
		p.ack.sending = false
		if len(ids) > 0 {
			p.Ack = ids[len(ids)-1]
			q.noteQueued(p, t)
		}
		if next := p.ack.next; next != nil {
			p.ack.next = nil
			next()
		} else if p.End.Kind != "" {
			q.forgetEnd(p, err)
		} else if line := q.lines[p.Prompt.Session]; len(line) > 0 && line[0] == p {
			_ = q.store.commit(storage.Change{Prompts: []remote.QueuedPrompt{p.QueuedPrompt}}) // else a second message tells the end
		}
	})
}

// resumeEnds tells the ends that an earlier life of hermes may have been killed before it told them: some are told twice, and none never.
func (q *promptQueue) resumeEnds() {
	for _, stored := range q.untold {
		p := &queuedPrompt{QueuedPrompt: stored}
		q.tellEnd(p, remote.Message{Kind: p.End.Kind, Reason: p.End.Reason, File: chat.File{Name: p.End.File}}, p.target())
	}
	q.untold = nil
}

// forgetEnd forgets a prompt whose end was told, or cannot be; what the network kept back is told by the next start.
func (q *promptQueue) forgetEnd(p *queuedPrompt, err error) {
	if err == nil || !isTemporary(err) {
		q.store.commitSurely(storage.Change{EndedPrompts: []question.ID{p.ID}})
	}
}

// noteQueued notes the message which says that a prompt waits: it is not true any more when the turn is over.
func (q *promptQueue) noteQueued(p *queuedPrompt, t remote.Message) {
	if t.Kind == remote.TellQueued || t.Kind == remote.TellBehind {
		q.turns.addQueued(p.Prompt.Session, remote.Queued{
			Chat: q.chats.successorOf(t.Chat), Message: p.Ack, Keep: p.Message == p.Ack, Title: t.Session.Title, Directory: t.Session.Directory,
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
		q.outbox.react(p.Chat, p.Message, emoji, then)
	}
}

// tellEnd tells the person what became of their prompt: by a reaction alone where that says
// it all, and can be set.
func (q *promptQueue) tellEnd(p *queuedPrompt, t remote.Message, about target) {
	inWords := func(error) { q.acknowledge(p, t, about) }
	nothing := func(error) {}
	marked := func(error) { q.turns.noteMarked(p.listener()) }
	switch {
	case !isDelivered(t.Kind):
		q.reactTo(p, reactionNone, nothing)
		inWords(nil)
	case t.Kind == remote.TellTaken && p.ack.last == "" && p.Ack == 0:
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
			if l.Unmarked && l.Message != 0 && t.chats.isSetUp(l.Chat) {
				t.mark(1, l)
			}
		}
	}
}

// mark makes the n-th attempt to put a 👍 under a prompt. A chat that takes none hears of the end of the turn.
func (t *turnWatcher) mark(n int, l remote.Listener) {
	t.outbox.react(l.Chat, l.Message, reactionTaken, func(err error) {
		if err != nil && isTemporary(err) && n < maxAttempts {
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
