package main

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// What somebody has decided in the chat and may take back is told so by the commands, and is not theirs to answer.
func TestAnswer_WhileHeld(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.Undo = time.Minute }, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		c := r.Config
		c.HookToken = rig.HookKey
		way := rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodPost {
				r.Tap("1.")
			}
			return r.RoundTrip(req)
		})
		a := answerer{hermes: apiclient.New(c, way), t: console.NewTerminal(strings.NewReader(""), &bytes.Buffer{})}
		q := r.OpenQuestion()
		err := a.run(context.Background(), string(q.ID), []string{"2"})
		if err == nil || err.Error() != "somebody was faster: not sent yet, and may be taken back: answered: SQLite (Ada)" {
			t.Errorf("it said %v", err)
		}
		_, held := r.CallQuestion(q.ID, "")
		if got := timeLeft(held, time.Now()); got != "held" {
			t.Errorf("hermes pending says %q", got)
		}
		r.Wait(2 * time.Minute)
	})
}

func TestAudit_TellsOfHolds(t *testing.T) {
	ada := question.Actor{Kind: question.Person, User: rig.Ada, Name: "Ada"}
	got := entryText(api.EntryOf(rig.Line{Entry: storage.Entry{Kind: storage.EntryHeld, By: ada, Detail: "10s"}}))
	if !strings.HasSuffix(got, "can be taken back for 10s\n") {
		t.Errorf("it says %q", got)
	}
}
