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
