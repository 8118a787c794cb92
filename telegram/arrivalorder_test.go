package telegram

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

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
func TestWebhookUpdatesInOrder(t *testing.T) {
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
				for _, in := range w.heard()[1:] {
					got = append(got, fmt.Sprint(in.Kind, in.Text))
				}
				if want := []string{fmt.Sprint(question.Tapped), fmt.Sprint(question.Typed, "after")}; !slices.Equal(got, want) || w.inbox.waiting() != 0 {
					t.Errorf("got %q, want %q; %d in the inbox", got, want, w.inbox.waiting())
				}
				w.stop()
				w.clean()
			})
		})
	}
}

func TestSequence(t *testing.T) {
	type arrival struct {
		at int // milliseconds
		id question.UpdateID
	}
	type handled struct {
		at int
		id question.UpdateID
	}
	first, gap := int(firstWait/time.Millisecond), int(gapWait/time.Millisecond)
	for name, c := range map[string]struct {
		arrivals []arrival
		want     []handled
	}{
		"in order":              {[]arrival{{0, 5}, {10_000, 6}, {10_001, 7}}, []handled{{first, 5}, {10_000, 6}, {10_001, 7}}},
		"the first two swapped": {[]arrival{{0, 6}, {100, 5}}, []handled{{first, 5}, {first, 6}}},
		"swapped":               {[]arrival{{0, 5}, {10_000, 7}, {10_500, 6}, {10_600, 8}}, []handled{{first, 5}, {10_500, 6}, {10_500, 7}, {10_600, 8}}},
		"one never comes":       {[]arrival{{0, 5}, {10_000, 7}, {10_500, 8}, {30_000, 9}}, []handled{{first, 5}, {10_000 + gap, 7}, {10_000 + gap, 8}, {30_000, 9}}},
		"one comes too late":    {[]arrival{{0, 5}, {10_000, 7}, {20_000, 6}, {20_100, 8}}, []handled{{first, 5}, {10_000 + gap, 7}, {20_000, 6}, {20_100, 8}}},
		"ids jump down":         {[]arrival{{0, 700_000_000}, {10_000, 3_000_001}, {10_001, 3_000_002}}, []handled{{first, 700_000_000}, {10_000 + first, 3_000_001}, {10_000 + first, 3_000_002}}},
		"ids jump up":           {[]arrival{{0, 5}, {10_000, 700_000_000}, {20_000, 700_000_001}}, []handled{{first, 5}, {10_000 + first, 700_000_000}, {20_000, 700_000_001}}},
	} {
		var s sequence
		var got []handled
		zero := time.Now()
		for ms := 0; ms < 60_000; ms++ {
			now := zero.Add(time.Duration(ms) * time.Millisecond)
			for _, a := range c.arrivals {
				if a.at == ms {
					s.add(question.Update{ID: a.id}, now)
				}
			}
			for _, u := range s.ready(now) {
				got = append(got, handled{ms, u.ID})
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %v\nwant %v", name, got, c.want)
		}
	}
}
