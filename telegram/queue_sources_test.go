package telegram_test

import (
	"fmt"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/cardtest"
)

// from is a card about an ask of a source.
func from(source string, chat chat.ID, n int) outbound.Post {
	p := post(chat, cardtest.Asks(cardtest.Database()))
	p.Source, p.Thread = source, question.ID(fmt.Sprint(source, n))
	return p
}

// One machine that asks without end does not keep another one's ask waiting, longer than Telegram's own limits make it wait.
func TestSources_TakeTurns(t *testing.T) {
	for _, chat := range []chat.ID{7, group} {
		t.Run(fmt.Sprint(chat), func(t *testing.T) {
			inWorld(t, func(w *world) {
				mustShow(t, w.show(from("link quiet", chat, -1)), 3) // it has asked before
				for n := range 200 {
					w.bot.Show(from("link noisy", chat, n), func(outbound.Shown) {})
				}
				for n, wait := range []time.Duration{0, 20 * time.Second, 70 * time.Second, 0, 3 * time.Second} {
					time.Sleep(wait)
					began := time.Now()
					mustShow(t, w.show(from("link quiet", chat, n)), 3)
					if took := time.Since(began); took > 4*time.Second {
						t.Errorf("card %d of the other machine came after %v", n, took)
					}
				}
			})
		})
	}
}

// The cards of one source come in the order in which they were asked for, and a noisy source gets all of its own in the end.
func TestSources_KeepTheirOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		var order []string
		done := make(chan string, 60)
		for n := range 20 {
			for _, source := range []string{"a", "b", "c"} {
				p := from(source, group, n)
				w.bot.Show(p, func(outbound.Shown) { done <- string(p.Thread) })
			}
		}
		for range 60 {
			order = append(order, <-done)
		}
		next := map[byte]int{}
		for at, name := range order {
			if want := fmt.Sprint(name[:1], next[name[0]]); name != want {
				t.Errorf("at %d it was the turn of %s, want %s", at, name, want)
			}
			next[name[0]]++
		}
		for at := 0; at+2 < len(order); at += 3 {
			if order[at][0] == order[at+1][0] || order[at+1][0] == order[at+2][0] {
				t.Errorf("a source had two turns at once: %v", order[at:at+3])
			}
		}
	})
}

// What a source may use of a group's minute holds nobody else up: notes go on meanwhile.
func TestSources_HoldNoNotesUp(t *testing.T) {
	inWorld(t, func(w *world) {
		mustShow(t, w.show(from("link quiet", group, 0)), 3)
		for n := range 60 {
			w.bot.Show(from("link noisy", group, n), func(outbound.Shown) {})
		}
		time.Sleep(40 * time.Second) // the noisy source had its share
		sent := w.sendNotes(group, 3)
		time.Sleep(10 * time.Second)
		if sent() != 3 {
			t.Errorf("%d of 3 notes were sent while the noisy source waits", sent())
		}
	})
}

func TestOrigin_Source(t *testing.T) {
	for want, o := range map[string]session.Origin{
		"token laptop":      {Way: session.Link, Process: "p", Directory: "/d", Token: "laptop"},
		"link p":            {Way: session.Link, Process: "p", Directory: "/d"},
		"direct http://h:1": {Way: session.Direct, Process: "http://h:1"},
		"ask ":              {Way: session.AskAPI, Directory: "/d"},
	} {
		if got := o.Source(); got != want {
			t.Errorf("the source of %+v is %q, want %q", o, got, want)
		}
	}
}
