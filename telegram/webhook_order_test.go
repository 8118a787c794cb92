package telegram_test

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/telegram/cardtest"
)

// textOf names an update: the text of a message, or the data of a tap.
func textOf(body io.Reader) string {
	var u struct {
		Message  struct{ Text string }
		Callback struct{ Data string } `json:"callback_query"`
	}
	_ = json.NewDecoder(body).Decode(&u)
	return u.Message.Text + u.Callback.Data
}

// Telegram delivers taps and texts beside one another, so a tap may come after the text that was written after it. They are handled in
// the order in which they were made: it is the order of their ids (Bot API, Update.update_id).
func TestWebhook_UpdatesInOrder(t *testing.T) {
	for name, late := range map[string]map[string]time.Duration{
		"as they were made": {}, "the tap is late": {"tap": time.Second}, "the text is late": {"after": time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, d := hookWorld(t)
				w.start()
				w.say("/start")
				settle()
				s := w.show(post(7, cardtest.Asks(question.Item{Text: "Which?", Options: []question.Option{{Label: "A"}}})))
				d.set(func(d *door) { d.late = func(u string) time.Duration { return late[u] } })
				if _, err := w.tele.TapData(7, 7, int(s.Messages[0]), "tap"); err != nil {
					t.Fatal(err)
				}
				if _, err := w.tele.Say(7, 7, "after"); err != nil {
					t.Fatal(err)
				}
				settle()
				var got []string
				for _, in := range w.handled()[1:] {
					got = append(got, fmt.Sprint(in.Kind, in.Text))
				}
				if want := []string{fmt.Sprint(inbound.Tapped), fmt.Sprint(inbound.Typed, "after")}; !slices.Equal(got, want) || w.inbox.waiting() != 0 {
					t.Errorf("got %q, want %q; %d in the inbox", got, want, w.inbox.waiting())
				}
				w.stop()
				w.checkRules()
			})
		})
	}
}
