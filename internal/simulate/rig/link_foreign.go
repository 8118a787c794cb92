package rig

import (
	"net/http"
	"reflect"
	"strings"
	"time"

	"hermes/internal/api"
	"hermes/internal/question"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// WaitFor is how long effects are waited for.
const WaitFor = 3 * time.Second

// CardWith is Ada's newest message that has the text.
func (r *Rig) CardWith(text string) telegram.Message {
	r.T.Helper()
	var found telegram.Message
	for _, m := range r.Telegram.Messages(Ada) {
		if strings.Contains(m.Text, text) {
			found = m
		}
	}
	if found.ID == 0 {
		r.T.Fatalf("no message has %q:\n%s\n%s", text, r.Telegram.Transcript(Ada), r.Log.String())
	}
	return found
}

// TapOn is a tap of Ada's on a button of a message.
func (r *Rig) TapOn(m telegram.Message, label string) {
	r.T.Helper()
	if _, err := r.Telegram.Tap(Ada, Ada, m.ID, label); err != nil {
		r.T.Fatalf("tap %q: %v\n%s", label, err, r.Telegram.Transcript(Ada))
	}
	r.Wait(WaitFor)
}

// EntriesOf are the journal's entries of a thread.
func (r *Rig) EntriesOf(id question.ID) (list []storage.Entry) {
	r.T.Helper()
	if err := r.Daemon.Store.Journal(1, func(l Line) error {
		if l.Entry.Thread == id {
			list = append(list, l.Entry)
		}
		return nil
	}); err != nil {
		r.T.Fatal(err)
	}
	return list
}

// WantUnchanged fails the test if the record, the card or the journal of a question has changed.
func (r *Rig) WantUnchanged(q api.Question, card telegram.Message, journal []storage.Entry) {
	r.T.Helper()
	for _, now := range r.Questions() {
		if now.ID == q.ID && !reflect.DeepEqual(now, q) {
			r.T.Errorf("the record was %+v and is %+v", q, now)
		}
	}
	if code, now := r.CallQuestion(q.ID, ""); code != http.StatusOK || now.State != "open" {
		r.T.Errorf("the record is %d %+v", code, now)
	}
	for _, now := range r.Telegram.Messages(Ada) {
		if now.ID == card.ID && !reflect.DeepEqual(now, card) {
			r.T.Errorf("the card was\n%+v\nand is\n%+v", card, now)
		}
	}
	if now := r.EntriesOf(q.ID); !reflect.DeepEqual(now, journal) {
		r.T.Errorf("the journal had %+v and has %+v", journal, now)
	}
}

// WantNoPosts wants that the link was sent no answer and no prompt.
func (r *Rig) WantNoPosts(p *PluginDouble) {
	r.T.Helper()
	if posts := p.Posts(); len(posts) != 0 {
		r.T.Errorf("the other OpenCode was sent %q", posts)
	}
}

// WantOneWarning wants errors in the log, but not one an event, and a count in the metrics.
func (r *Rig) WantOneWarning() {
	r.T.Helper()
	const said = "an OpenCode spoke of an ask of another one"
	if n := strings.Count(r.Log.String(), said); n == 0 || n > 3 {
		r.T.Errorf("the log says %d times that %s", n, said)
	}
	if text := r.Metrics(); !strings.Contains(text, "hermes_foreign_events_total") || strings.Contains(text, "hermes_foreign_events_total 0\n") {
		r.T.Error("nothing was counted")
	}
}
