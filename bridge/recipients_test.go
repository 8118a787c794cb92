package bridge_test

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/telegram/ui"
)

// attach is a photo of a person's with a caption that looks like an answer.
func (w *world) attach(who chat.UserID, replyTo chat.MessageID, album string) {
	w.input(inbound.Input{
		Kind: inbound.Attached, Chat: adaChat, Private: true, Message: 1 << 20, Text: "2", ReplyTo: replyTo, Album: album,
		Sent: time.Now(), User: chat.User{ID: who, Name: "Ada"}, What: chat.Photo, File: chat.File{ID: "A"},
	})
	w.wait(5 * time.Second)
}

func (w *world) noted() (texts []string) {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	for _, n := range w.chat.notes {
		texts = append(texts, n.text)
	}
	return texts
}

// A file may say something else than its caption: neither is an answer, and it is said
// so, once of what is shown as one.
func TestRecipients_CaptionAnswersNothing(t *testing.T) {
	const eve = chat.UserID(66)
	play(t, nil, func(w *world) {
		w.say(adaChat, ada, 0, "hello?")
		w.attach(ada, 0, "")
		w.attach(ada, 0, "")
		id := w.askOne()
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
		no := noted(ui.FileNoAnswer().Text())
		if want := []string{noted(ui.NothingAsked().Text()), no, no, no, noted(ui.HowItStands(w.thread(id).View()).Text())}; !slices.Equal(w.noted(), want) {
			t.Errorf("noted %q, want %q", w.noted(), want)
		}
		if inbox, err := w.store.Inbox(); err != nil || len(inbox) != 0 {
			t.Errorf("%d updates stay in the inbox, %v", len(inbox), err)
		}
	})
}

// A text waits for a card that people may see already, and not for those that wait in the chat's queue,
// however many an agent has asked.
func TestRecipients_TextWhileCardsWait(t *testing.T) {
	for name, c := range map[string]struct {
		slow, slowResult time.Duration
		want             bool
	}{
		"in the queue": {slow: 30 * time.Second},
		"on screen":    {slowResult: 10 * time.Second, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				w.chat.slow, w.chat.slowResult = c.slow, c.slowResult
				id := w.agent.ask(oneItem())
				w.wait(3 * time.Second)
				w.say(adaChat, ada, 0, "2")
				w.wait(time.Second)
				if hinted := len(w.noted()) == 1; hinted == c.want {
					t.Errorf("noted %q", w.noted())
				}
				w.wait(time.Minute)
				if decided := w.thread(id).Decision != nil; decided != c.want {
					t.Errorf("decided: %v", decided)
				}
			})
		})
	}
}
