package sessions

import (
	"errors"

	"hermes/internal/chat"
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
	q.outbox.tell(t, about, func(ids []chat.MessageID, _ error) {
		p.ack.sending = false
		if len(ids) > 0 {
			p.Ack = ids[len(ids)-1]
			q.noteQueued(p, t)
		}
		if next := p.ack.next; next != nil {
			p.ack.next = nil
			next()
		} else if line := q.lines[p.Prompt.Session]; len(line) > 0 && line[0] == p {
			_ = q.store.commit(storage.Change{Prompts: []remote.QueuedPrompt{p.QueuedPrompt}}) // else a second message tells the end
		}
	})
}

// noteQueued notes the message which says that a prompt waits: it is not true any more when the turn is over.
func (q *promptQueue) noteQueued(p *queuedPrompt, t remote.Message) {
	if t.Kind == remote.TellQueued || t.Kind == remote.TellBehind {
		q.turns.addQueued(p.Prompt.Session, remote.Queued{Chat: q.chats.successorOf(t.Chat), Message: p.Ack, Keep: p.Message == p.Ack})
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
	switch {
	case !isDelivered(t.Kind):
		q.reactTo(p, reactionNone, nothing)
		inWords(nil)
	case t.Kind == remote.TellTaken && p.ack.last == "" && p.Ack == 0:
		q.reactTo(p, reactionTaken, func(err error) {
			if err != nil {
				inWords(err)
			}
		})
	default:
		q.reactTo(p, reactionTaken, nothing)
		inWords(nil)
	}
}
