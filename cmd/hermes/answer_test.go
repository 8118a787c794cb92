package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/console"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
)

// runAnswer runs hermes answer without a terminal, beside the rig's daemon.
func runAnswer(r *rig.Rig, reject bool, id string, words ...string) (string, error) {
	r.T.Helper()
	var out bytes.Buffer
	c := r.Config
	c.HookToken = rig.HookKey
	a := answerer{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), t: console.NewTerminal(strings.NewReader(""), &out), reject: reject}
	err := a.run(context.Background(), id, words)
	r.Wait(2 * time.Second)
	rig.NoCanary(r.T, "hermes answer", out.String())
	return out.String(), err
}

// wantAnswerSays fails the test unless hermes answer says this.
func wantAnswerSays(r *rig.Rig, want string, reject bool, id string, words ...string) {
	r.T.Helper()
	if got, err := runAnswer(r, reject, id, words...); err != nil || got != want {
		r.T.Errorf("%s %q: it said %q, %v, want %q", id, words, got, err, want)
	}
}

// wantAnswerFails fails the test unless hermes answer fails with this, and this exit code.
func wantAnswerFails(r *rig.Rig, code int, want string, reject bool, id string, words ...string) {
	r.T.Helper()
	_, err := runAnswer(r, reject, id, words...)
	if err == nil || !strings.Contains(err.Error(), want) || exitCode(err, true) != code {
		r.T.Errorf("%s %q: %v, want %q", id, words, err, want)
	}
}

func TestAnswer(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		id := string(r.OpenQuestion().ID)
		wantAnswerFails(r, exitUsage, "there is no terminal to ask on", false, id)
		wantAnswerFails(r, exitUsage, "there is no question for it", false, id, "2", "1")
		wantAnswerFails(r, exitUsage, "ANSWER 1: is not the number of a choice: they are 1 to 2; put quotes", false, id, "9")
		wantAnswerFails(r, exitUsage, "ANSWER 1: is not the number of a choice", false, id, "0")
		wantAnswerFails(r, exitUsage, "ANSWER 1: is not the number of a choice", false, id, "-1")
		wantAnswerFails(r, exitUsage, "ANSWER 1: only one can be chosen; put quotes", false, id, "1, 2")
		wantAnswerSays(r, "Answered: PostgreSQL (Recommended) (over the API)\n", false, id[:3], "2")
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		r.WantScreen("✅", "→ PostgreSQL (Recommended)", "answered over the API")
		wantAnswerFails(r, exitFailure, "answered: PostgreSQL (Recommended) (over the API)", false, id, "1")
		wantAnswerFails(r, exitFailure, "nothing that waits has an id that begins with "+id[:3], false, id[:3], "1")
	})
}

func TestAnswer_Several(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		id := string(r.OpenQuestion().ID)
		wantAnswerFails(r, exitUsage, "ANSWER: there are 2 questions, so give 2 answers", false, id, "1")
		wantAnswerFails(r, exitUsage, "ANSWER 1: is not one of the choices", false, id, "MySQL", "1")
		wantAnswerFails(r, exitUsage, "ANSWER 1: only one can be chosen", false, id, "1, 2", "1")
		wantAnswerFails(r, exitUsage, "ANSWER 2: is empty", false, id, "1", " ")
		wantAnswerFails(r, exitUsage, "ANSWER 2: is not the number of a choice: they are 1 to 3", false, id, "1", "1, 9")
		wantAnswerSays(r, "Answered: SQLite; Go, Zig (over the API)\n", false, id, "sqlite", "Go, Zig")
		r.WantAnswers(call, []string{"SQLite"}, []string{"Go", "Zig"})
	})
}

// Without an id hermes answer tells what there is to answer.
func TestAnswer_WithoutAnID(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		ask := func() (string, error) {
			var out bytes.Buffer
			c := r.Config
			c.HookToken = rig.HookKey
			a := answerer{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), t: console.NewTerminal(strings.NewReader(""), io.Discard)}
			err := a.askForID(context.Background(), &out)
			if exitCode(err, true) != exitUsage {
				t.Errorf("the exit code is %d", exitCode(err, true))
			}
			return out.String(), err
		}
		if out, err := ask(); out != "" || err.Error() != "ID: is missing, and nothing waits for an answer" {
			t.Errorf("with nothing open: %q, %v", out, err)
		}
		r.Ask(rig.DatabaseQuestion())
		id := string(r.OpenQuestion().ID)
		if out, err := ask(); !strings.Contains(out, id+"  29m58s    shop-api      Database: ") || err.Error() != "ID: is missing; give one of these, such as hermes answer "+id {
			t.Errorf("with one open: %q, %v", out, err)
		}
	})
}

func TestAnswer_Rejects(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		wantAnswerSays(r, "Dismissed (over the API)\n", true, string(r.OpenQuestion().ID))
		r.WantNoAnswer(call)
		r.WantScreen("🚫", "Dismissed over the API")
	})
}

// Of an ask of a program the ids do, and one may cancel.
func TestAnswer_Ask(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(rig.AskRegions)
		wantAnswerSays(r, "Answered: America, Asia (over the API)\n", false, string(r.OpenQuestion().Request)[:8], "us", "3")
		_, text := r.Request("GET", path, "")
		if !strings.Contains(text, `"selected_option_ids":["us","ap"]`) {
			t.Errorf("the asker got %s", text)
		}
		path = r.Submit(rig.AskSeveral)
		if _, err := runAnswer(r, false, string(r.OpenQuestion().ID), "skip"); err != nil {
			t.Error(err)
		}
		if _, text = r.Request("GET", path, ""); !strings.Contains(text, `"status":"cancelled"`) {
			t.Errorf("the asker got %s", text)
		}
	})
}

// Somebody in the chat may be faster, even between the look and the answer.
func TestAnswer_TooLate(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		c := r.Config
		c.HookToken = rig.HookKey
		way := rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodPost {
				r.Tap("1.")
			}
			return r.RoundTrip(req)
		})
		a := answerer{hermes: apiclient.New(c, way), t: console.NewTerminal(strings.NewReader(""), &bytes.Buffer{})}
		err := a.run(context.Background(), string(r.OpenQuestion().ID), []string{"2"})
		if err == nil || err.Error() != "somebody was faster: answered: SQLite (Ada)" {
			t.Errorf("it said %v", err)
		}
		r.Wait(time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

func TestAnswer_Find(t *testing.T) {
	list := []api.Question{{ID: "AAAA", Request: "que_1"}, {ID: "AAB", Request: "ask_x"}, {ID: "AA", Request: "que_2"}}
	for beginning, want := range map[string]question.ID{
		"AAA": "AAAA", "AAB": "AAB", "AA": "AA", "ask_": "AAB", "que_2": "AA", "A": "", "que_": "", "B": "", "": "",
	} {
		got, err := findQuestion(list, beginning)
		if got.ID != want || (err == nil) != (want != "") {
			t.Errorf("%q finds %q, %v, want %q", beginning, got.ID, err, want)
		}
	}
}
