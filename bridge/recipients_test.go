package bridge_test

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
)

// attach is a photo of a person's with a caption that looks like an answer.
func (w *world) attach(who chat.UserID, replyTo chat.MessageID, album string) {
	w.input(inbound.Input{
		Kind: inbound.Attached, Chat: adaChat, Private: true, Message: 1 << 20, Text: "2", ReplyTo: replyTo, Album: album,
		Sent: time.Now(), User: chat.User{ID: who, Name: "Ada"}, What: chat.Photo, File: chat.File{ID: "A"},
	})
	w.wait(5 * time.Second)
}

func (w *world) noted() []outbound.NoteKind {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	var kinds []outbound.NoteKind
	for _, n := range w.chat.notes {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// A file may say something else than its caption: neither is an answer, and it is said
// so, once of what is shown as one.
func TestRecipients_CaptionAnswersNothing(t *testing.T) {
	const eve = chat.UserID(66)
	play(t, nil, func(w *world) {
		w.attach(ada, 0, "")
		w.attach(ada, 0, "")
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		message, _, _ := w.chat.find(adaChat, id)
		w.attach(ada, message, "")
		w.attach(ada, message, "a")
		w.attach(ada, message, "a")
		w.attach(ada, 0, "")
		w.attach(eve, message, "")
		w.shows(id, question.PhaseAsking, "")
		w.say(adaChat, ada, message, "2")
		w.wait(5 * time.Second)
		w.attach(ada, message, "")
		no := outbound.NoteNoFile
		if want := []outbound.NoteKind{outbound.NoteNothing, no, no, no, outbound.NoteEnded}; !slices.Equal(w.noted(), want) {
			t.Errorf("noted %q, want %q", w.noted(), want)
		}
		if inbox, err := w.store.Inbox(); err != nil || len(inbox) != 0 {
			t.Errorf("%d updates stay in the inbox, %v", len(inbox), err)
		}
	})
}
