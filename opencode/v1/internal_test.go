package v1

import (
	"encoding/json"
	"testing"
	"time"

	"hermes/internal/session"
)

func TestCommand_WhichCommandsTakeAText(t *testing.T) {
	for template, want := range map[string]bool{
		"`$ARGUMENTS`": true, "No place": true, "$1 and $2": true, "Run `git show $ARGUMENTS`, then go!": true, "mail@$1": true, "": true,
		"!`date` @AGENTS.md $ARGUMENTS": true, "@docs/a, $1": true, "@docs/a $1": true, "@docs/a`$1`": true, "`@$1": true,
		"!`echo $ARGUMENTS`": false, "!`date`\n!`a\nb $12`": false, "Stop!`$1` and `x`": false,
		"@$1": false, "@docs/$ARGUMENTS.md": false, "(@~/$1": false, "@a.$1": false, "@.$1": false, "@../$1": false, "\n@x$1": false, "@@$1": false,
	} {
		raw, err := json.Marshal(template)
		if err != nil {
			t.Fatal(err)
		}
		if got := (commandInfo{Template: raw}).takesText(); got != want {
			t.Errorf("%q takes a text: %v", template, got)
		}
	}
	yes, no := true, false
	for list, want := range map[string]bool{`{}`: false, `{"template":{}}`: false, `{"template":null}`: false, `{"text":true}`: true, `{"template":"$1","text":false}`: false} {
		var w commandInfo
		if err := json.Unmarshal([]byte(list), &w); err != nil || w.takesText() != want {
			t.Errorf("%s takes a text: %v %v", list, w.takesText(), err)
		}
	}
	if !(commandInfo{Text: &yes}).takesText() || (commandInfo{Text: &no}).takesText() {
		t.Error("what the plugin says does not count")
	}
}

func TestDiff_PatchOf(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"one\ntwo\n", "one\nTWO\nthree\n", "@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+three\n"},
		{"", "new\n", "@@ -0,0 +1,1 @@\n+new\n"},
		{"old\n", "", "@@ -1,1 +0,0 @@\n-old\n"},
		{"a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nE\nf\ng\nh\ni\n", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"},
		{"x\nx\n", "x\nx\nx\n", "@@ -1,2 +1,3 @@\n x\n x\n+x\n"},
	} {
		got := unifiedDiff([]fileDiff{{File: "f.txt", Before: test.before, After: test.after}})
		if want := "--- f.txt\n+++ f.txt\n" + test.want; got != want {
			t.Errorf("%q to %q:\n%swant\n%s", test.before, test.after, got, want)
		}
	}
}

func TestSessionInfo_GivenTitle(t *testing.T) {
	for title, want := range map[string]string{
		"New session - 2026-01-02T03:04:05.000Z": "", "Child session - 2026-01-02T03:04:05.000Z": "",
		"New sessions for all": "New sessions for all", "": "",
	} {
		if got := (SessionInfo{Title: title}).GivenTitle(); got != want {
			t.Errorf("%q is called %q", title, got)
		}
	}
}

// Only of a session that rests it is odd that its last answer has no end.
func TestTurn_WithoutAnEnd(t *testing.T) {
	var answer Message
	answer.Info.ID, answer.Info.Role = "msg_1", "assistant"
	for _, busy := range []bool{false, true} {
		turn := turnOf(session.Session{Busy: busy, Updated: time.Unix(9, 0)}, []Message{answer})
		if turn.Unfinished == busy || turn.Aborted == busy || turn.Ended.IsZero() != busy {
			t.Errorf("busy %v: the turn is %+v", busy, turn)
		}
	}
	answer.Info.Error.Name = "MessageAbortedError"
	if turn := turnOf(session.Session{}, []Message{answer}); turn.Unfinished || !turn.Aborted {
		t.Errorf("one that was stopped is %+v", turn)
	}
}
