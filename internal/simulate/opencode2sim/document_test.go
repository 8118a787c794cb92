package opencode2sim_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencode2sim"
)

// What a directory has is as the document says; the captures of these lists are cut off.
func TestListsAgainstTheDocument(t *testing.T) {
	o := capturedOptions()
	o.Changes = []opencode2sim.Change{{File: "a.txt", Status: "modified", Patch: "-x\n+y\n", Additions: 1, Deletions: 1}}
	playOne(t, o, func(c client) {
		c.want(200, "GET", "/api/location", nil)
		time.Sleep(time.Minute)
		d := readDocument(t)
		ses := c.newSession()
		for path, least := range map[string]int{
			"/api/agent": 5, "/api/model": 1, "/api/provider": 1, "/api/command": 1, "/api/mcp": 1, "/api/vcs/status": 1,
			"/api/vcs/diff?mode=working": 1, "/api/form/request": 0, "/api/permission/request": 0, "/api/question/request": 0,
			"/api/permission/saved": 0, "/api/session": 1, "/api/session/" + ses + "/message": 0,
			"/api/session/" + ses + "/context": 0, "/api/session/" + ses + "/pending": 0,
		} {
			if list, _ := c.want(200, "GET", path, nil).([]any); len(list) < least {
				t.Errorf("%s lists %d", path, len(list))
			}
			_, body := c.do("GET", path, nil)
			if wrong := d.answer("GET", path, "200", body); wrong != "" {
				t.Errorf("%s: %s", path, wrong)
			}
		}
	})
}

// Every type of event that was captured comes from the simulator too.
func TestEveryTypeOfEvent(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "events-one-of-each.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		sim := opencode2sim.New(capturedOptions())
		defer sim.Stop()
		c := client{t, sim}
		var heard collector
		heard.attach(t, sim)
		c.doEverything()
		_, log := c.do("GET", "/api/experimental/session/"+sim.Sessions()[0].ID+"/log", nil)
		for line := range strings.Lines(log) {
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				heard.add(text)
			}
		}
		synctest.Wait()
		seen := map[string]bool{}
		for _, f := range heard.frames {
			kind, _ := f["type"].(string)
			seen[kind] = true
		}
		seen["session.usage.recorded"] = true // in the log alone: TestLog
		for line := range strings.Lines(string(raw)) {
			var f struct{ Type string }
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatal(err)
			}
			if !seen[f.Type] {
				t.Errorf("%s never came", f.Type)
			}
		}
	})
}

// doEverything makes every type of event come that was captured.
func (c client) doEverything() {
	sim, ses := c.sim, c.newSession()
	for _, do := range []func(){
		func() { c.prompt(ses, "go\nCALL:shell:{\"command\":\"ls\"}") },
		func() { sim.DecideAtTUI(sim.Pending(dir)[0], "once") },
		func() { sim.RejectAtTUI(first(sim.Ask(dir, ses, color()))) },
		func() { sim.AnswerAtTUI(first(sim.Ask(dir, ses, color())), [][]string{{"red"}}) },
		func() { sim.Task(dir, ses, "asker", "hello") },
		func() { c.prompt(ses, "FAIL:500") },
		func() { sim.Abort(ses) },
		func() { c.prompt(ses, "FAIL:400") },
		func() { c.want(204, "POST", "/api/session/"+ses+"/agent", map[string]any{"agent": "plan"}) },
		func() {
			c.want(204, "POST", "/api/session/"+ses+"/model", map[string]any{"model": map[string]any{"providerID": "fake", "id": "fake"}})
		},
		func() { c.want(204, "POST", "/api/session/"+ses+"/shell", map[string]any{"command": "ls"}) },
		func() { c.want(200, "POST", "/api/session/"+ses+"/fork", map[string]any{}) },
		func() { sim.Delete(ses) },
	} {
		do()
		time.Sleep(time.Second)
	}
}

func first(id, _ string) string { return id }

// The log replays what is durable, says that this was all, and follows; its events are
// those of capture 15.
func TestLog(t *testing.T) {
	playOne(t, capturedOptions(), func(c client) {
		ses := c.newSession()
		c.prompt(ses, "hello")
		path := "/api/experimental/session/" + ses + "/log?after=4"
		var got []map[string]any
		var heard collector
		_, text := c.do("GET", path, nil)
		for line := range strings.Lines(text) {
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				heard.add(text)
			}
		}
		got = heard.frames
		captured := readFrames(t, "15-log-follow")
		a := newAlike()
		for i, f := range captured[:min(len(captured), len(got))] {
			if d := a.differ("", f, got[i]); d != "" {
				t.Errorf("event %d: %s", i, d)
			}
		}
		if len(got) != 8 || got[7]["type"] != "log.synced" {
			t.Errorf("the log has %d events: %s", len(got), types(got))
		}
	})
}
