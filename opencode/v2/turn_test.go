package v2

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"hermes/internal/session"
)

func turnIn(t *testing.T, s session.Session, body []byte) session.Turn {
	t.Helper()
	var read struct{ Data []message }
	if err := json.Unmarshal(body, &read); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(read.Data)
	return turnOf(s, read.Data)
}

// The turns of captures 02, 15, 04 and 08.
func TestTurn_Captured(t *testing.T) {
	fake := session.Model{Provider: "fake", ID: "fake"}
	idle := session.Session{ID: "ses_1", Updated: time.UnixMilli(1795313999000)}
	for name, want := range map[string]session.Turn{
		"answered": {
			Message: "msg_20101fd01001EabNEttQt567H0", Began: time.UnixMilli(1795313236358), Ended: time.UnixMilli(1795313237324),
			Text: `done: User has answered your questions: "Which color?"="blue". You can now continue with the user's answers in mind.`, Tokens: 30,
		},
		"cut-short":   {Message: "msg_20114e438001Hokr1TiZbMDmoR", Began: time.UnixMilli(1795314476088), Ended: time.UnixMilli(1795314476253), Text: "done:", Aborted: true},
		"interrupted": {Message: "msg_20104f0e5001lguNbpiiNarOh6", Began: time.UnixMilli(1795313430709), Ended: time.UnixMilli(1795313430846), Tokens: 15, Aborted: true},
		"killed":      {Message: "msg_2010966ac001kSujjWEyTtaKcX", Began: time.UnixMilli(1795313722975), Ended: idle.Updated, Aborted: true, Unfinished: true},
	} {
		body, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want.Session, want.Agent, want.Model = idle, "build", fake
		if got := turnIn(t, idle, body); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}

// messages are written as OpenCode lists them, the newest first.
func messages(t *testing.T, list ...map[string]any) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{"data": list})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func step(id, finish, text string, files ...string) map[string]any {
	return map[string]any{
		"id": id, "type": "assistant", "finish": finish, "cost": 0.5, "content": []map[string]any{{"type": "text", "text": text}},
		"snapshot": map[string]any{"files": files}, "time": map[string]any{"created": 1, "completed": 2},
	}
}

func said(id string, at int) map[string]any {
	return map[string]any{"id": id, "type": "user", "text": "x", "time": map[string]any{"created": at}}
}

// A turn has all steps from its prompt on, those after a prompt that came while it ran too; not
// those of the turn before, nor a prompt that waits.
func TestTurn_Steps(t *testing.T) {
	got := turnIn(t, session.Session{Busy: true}, messages(t,
		said("msg_8", 80), step("msg_7", "stop", "Done.", "b", "a"), said("msg_6", 60),
		step("msg_5", "tool-calls", "Well,", "a"), map[string]any{"id": "msg_4", "type": "synthetic", "text": "note"}, said("msg_3", 30),
		step("msg_2", "stop", "Before.", "c"), said("msg_1", 10),
	))
	if got.Message != "msg_7" || got.Text != "Done." || got.Cost != 1 || got.Files != 2 || !got.Began.Equal(time.UnixMilli(30)) || !got.Ended.IsZero() {
		t.Errorf("the turn is %+v", got)
	}
	failed := turnIn(t, session.Session{}, messages(t, map[string]any{
		"id": "msg_2", "type": "assistant", "error": map[string]any{"type": "provider.quota"}, "time": map[string]any{"created": 1, "completed": 2},
	}))
	if failed.Error != "provider.quota" || failed.Aborted || failed.Unfinished {
		t.Errorf("a turn that failed is %+v", failed)
	}
	if none := turnIn(t, session.Session{}, messages(t, said("msg_1", 10))); none.Message != "" || !none.Began.IsZero() {
		t.Errorf("without an answer: %+v", none)
	}
}
