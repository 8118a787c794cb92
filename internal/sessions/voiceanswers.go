package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// A voice message that replies to an ask is written down and shown to who spoke, who says whether
// that is the answer. It goes to the ask then as if it had been typed: so it allows nothing. The
// message that shows it keeps the words, and which tap sends them; that tap stays in the inbox
// until the ask has stored what they mean.
//
//	a crash after           on restart
//	nothing, or written down it is written down anew
//	shown, not stored        shown again; the buttons above say that they are not known
//	stored                   the buttons work
//	the tap stored           the tap comes again, and sends the words
//	the ask has the answer   nothing is left to do
const fetchTries = 4 // of a voice message that Telegram does not give out now

// HearAnswer has a voice message written down, and asks who spoke whether that is the answer.
func (c *Controller) HearAnswer(in inbound.Input) {
	if !c.mayReply(in) {
		return
	}
	if f := fileOf(in); f.Size > session.MaxFiles {
		c.replyWith(in, addressedTo(in, ui.Unusable(remote.PromptTooLarge, f).Text()), target{})
		return
	}
	c.loop.Beside(func(ctx context.Context) func() {
		text, err := c.writeDownAnswer(ctx, in)
		if err != nil && c.loop.Ending().Err() != nil {
			return nil // it is in the inbox
		}
		return func() { c.showHeard(in, text, err) }
	})
}

// writeDownAnswer is what is said in the message. Its errors are those of fileSource.hearPart.
func (c *Controller) writeDownAnswer(ctx context.Context, in inbound.Input) (text string, err error) {
	f := fileOf(in)
	for n := range fetchTries {
		text, err = c.files.hearPart(ctx, session.Part{File: f.ID, Name: f.Name, Mime: f.Mime, Spoken: true})
		var fetch *fetchError
		if !errors.As(err, &fetch) || fetch.endOfPrompt() != "" || c.pause(time.Second<<n) != nil {
			break
		}
	}
	return text, err
}

// showHeard shows what was heard, or why nothing was. The update is consumed when that was tried.
func (c *Controller) showHeard(in inbound.Input, text string, err error) {
	if err != nil {
		c.replyWith(in, addressedTo(in, ui.Unusable(outcome{}.failWith(err).end, fileOf(in)).Text()), target{})
		return
	}
	c.tell(addressedTo(in, ui.HeardAnswer(text)), target{}, func(ids []chat.MessageID, _ error) {
		change := storage.Change{Entries: []storage.Entry{{Kind: storage.EntryHeard, By: in.Author(), Note: text}}}
		if len(ids) > 0 {
			change.MessageRefs = []remote.MessageRef{{
				Chat: in.Chat, Message: ids[len(ids)-1], At: time.Now(),
				Draft: &remote.Draft{Text: text, By: in.User.ID, Message: in.Message, Card: in.ReplyTo, Step: in.Step},
			}}
		}
		c.finish(in, change)
	})
}

// TakeHeard takes a tap that says whether what was heard is the answer, and gives it back as a
// text of the tap's update, which whoever takes it consumes; else it consumes the tap. Only who spoke can say. A tap that
// comes again after a crash gives the same text again.
func (c *Controller) TakeHeard(tap inbound.Input) (answer inbound.Input, ok bool) {
	kept, found := c.messageOf(tap.Chat, tap.Message)
	draft := kept.Draft
	switch {
	case !found, draft == nil, draft.Card == 0:
		c.refuseTap(tap, storage.RefusedNoText, ui.NotKept())
		return inbound.Input{}, false
	case draft.By != tap.User.ID:
		c.refuseTap(tap, storage.RefusedNotTheirs, ui.NotWriter())
		return inbound.Input{}, false
	case draft.Tap != 0 && draft.Tap != tap.Update:
		c.refuseTap(tap, storage.RefusedSent, ui.AlreadySent())
		return inbound.Input{}, false
	}
	c.answerTap(tap, nil)
	if tap.Button.Kind == inbound.ButtonUnsay {
		kept.Draft = nil
		c.finish(tap, storage.Change{MessageRefs: []remote.MessageRef{kept}})
		c.tell(inPlace(tap, ui.TypedInstead().Text()), target{}, nil)
		return inbound.Input{}, false
	}
	return c.sendHeard(tap, kept), true
}

// sendHeard notes which tap sends the words. A crash behind it: that tap comes again.
func (c *Controller) sendHeard(tap inbound.Input, kept remote.MessageRef) inbound.Input {
	draft := *kept.Draft
	draft.Tap, kept.Draft = tap.Update, &draft
	c.commit(storage.Change{MessageRefs: []remote.MessageRef{kept}})
	c.tell(inPlace(tap, ui.Heard(draft.Text)), target{}, nil)
	return inbound.Input{
		Kind: inbound.Typed, Update: tap.Update, Chat: tap.Chat, Topic: tap.Topic, Private: tap.Private, Title: tap.Title,
		Message: draft.Message, User: tap.User, Sent: time.Now(), Text: draft.Text, ReplyTo: draft.Card, Step: draft.Step,
	}
}
