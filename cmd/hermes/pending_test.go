package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

func runPending(r *rig.Rig, l pendingList) (string, string) {
	r.T.Helper()
	var out, notice bytes.Buffer
	c := r.Config
	c.HookToken = rig.HookKey
	l.hermes, l.out, l.notice = apiclient.New(c, rig.RoundTripper(r.RoundTrip)), &out, &notice
	if err := l.run(context.Background()); err != nil {
		r.T.Error(err)
	}
	return out.String(), notice.String()
}

func TestPending(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if out, notice := runPending(r, pendingList{}); out != "" || notice != "Nothing waits for an answer.\n" {
			t.Errorf("with nothing open it prints %q and says %q", out, notice)
		}
		if out, _ := runPending(r, pendingList{json: true}); out != "[]\n" {
			t.Errorf("with nothing open it prints %q", out)
		}
		r.Ask(rig.DatabaseQuestion())
		r.Submit(rig.AskDeploy)
		dir := r.Opencode.Directory()
		r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "clean"), rig.BashPermission("rm -rf\tbuild\nmake"))
		r.Wait(2 * time.Second)
		list := r.Questions()
		out, _ := runPending(r, pendingList{})
		want := "id            left      project       question\n" +
			string(list[0].ID) + "  29m54s    shop-api      Database: Which database should this feature use?\n" +
			string(list[1].ID) + "  29m56s    -             Deploy: Deploy to production?\n" +
			string(list[2].ID) + `  29m58s    shop-api      bash: rm -rf\tbuild\nmake (in the chat)` + "\n"
		if out != want {
			t.Errorf("it prints\n%swant\n%s", out, want)
		}
		if out, _ = runPending(r, pendingList{width: 40}); !strings.Contains(out, "29m54s    shop-api      D…\n") {
			t.Errorf("on a narrow terminal it prints\n%s", out)
		}
		var got []api.Question
		out, _ = runPending(r, pendingList{json: true})
		if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != 3 || strings.Count(out, "\n") != 1 || got[1].Questions[0].Options[2].ID != "cancel" {
			t.Errorf("as JSON it prints %s, %v", out, err)
		}
	})
}

// On a pipe, a list for each state, past a restart of hermes.
func TestPending_Watch(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		var out testenv.LockedBuffer
		c := r.Config
		c.HookToken = rig.HookKey
		ctx, stop := context.WithCancel(context.Background())
		l := pendingList{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), out: &out, json: true, watch: true}
		wait := r.Background(func() {
			if err := l.run(ctx); err != nil {
				t.Error(err)
			}
		})
		r.Wait(time.Minute)
		r.Ask(rig.DatabaseQuestion())
		r.Wait(time.Minute)
		r.Halt()
		r.Wait(time.Minute)
		r.Start()
		r.Wait(time.Minute)
		r.Tap("2.")
		r.Wait(2 * time.Second)
		stop()
		wait()
		var states []string
		for lines := json.NewDecoder(strings.NewReader(out.String())); lines.More(); {
			var list []api.Question
			if err := lines.Decode(&list); err != nil {
				t.Fatal(err)
			}
			state := ""
			for _, q := range list {
				state += q.State
			}
			if len(states) == 0 || states[len(states)-1] != state {
				states = append(states, state)
			}
		}
		if got := strings.Join(states, "|"); got != "|open|" && got != "|open|deciding|" {
			t.Errorf("it showed %q", got)
		}
		if n := strings.Count(out.String(), "\n"); n > 7 {
			t.Errorf("it printed %d lines", n)
		}
	})
}

// The list names what becomes of files where the patterns do not.
func TestPending_ShowsWhatBecomesOfFiles(t *testing.T) {
	q := api.QuestionOf(question.Thread{Request: question.Request{Permission: &question.Permission{
		Kind: "edit", Patterns: []string{"notes.txt"},
		Files: []question.FileChange{
			{Kind: question.FileMoved, Path: "notes.txt", To: ".git/hooks/pre-commit"}, {Kind: question.FileAdded, Path: "a"}, {Kind: question.FileDeleted, Path: "b to c"},
		},
		Links: []question.FileLink{{Path: "a", Target: "\x1b/etc/a"}},
	}}})
	want := `edit: notes.txt (moves notes.txt to .git/hooks/pre-commit, adds a, deletes "b to c", a → ␛/etc/a)`
	if text := questionSummary(q); text != want {
		t.Errorf("the list has %q, want %q", text, want)
	}
}
