package daemon_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// exchanges are the examples of the protocol.
func exchanges() map[string]func(*rig.Exchange) {
	return map[string]func(*rig.Exchange){
		"single": func(e *rig.Exchange) { e.Post(rig.AskDeployLine()); e.TapKey("1.") },
		"multiple": func(e *rig.Exchange) {
			e.Post(rig.AskRegions)
			e.TapKey("☐ 1.")
			e.TapKey("☐ 3.")
			e.TapKey("✅ Done")
		},
		"several": func(e *rig.Exchange) {
			e.Post(rig.AskSeveral)
			e.TapKey("1.")
			e.Say("Faster, and <b>no</b> new bugs", e.Last().ID)
			e.TapKey("✅ Send")
		},
		"typed":     func(e *rig.Exchange) { e.Post(rig.AskRegions); e.Say("US, 3", e.Last().ID) },
		"cancelled": func(e *rig.Exchange) { e.Post(rig.AskDeployLine()); e.TapKey("3.") },
		"dismissed": func(e *rig.Exchange) { e.Post(rig.AskDeployLine()); e.TapKey("🚫"); e.TapKey("🚫") },
		"withdrawn": func(e *rig.Exchange) {
			e.Post(rig.AskDeployLine())
			e.HTTP("DELETE", e.Path, "")
			e.Wait(2 * time.Second)
		},
		"context": func(e *rig.Exchange) {
			e.Post(strings.Replace(rig.AskDeployLine(), `{"title"`, `{"context":"12 of 12 tests passed.","ttl":"5m","on_timeout":"accept-first","chats":[42],"title"`, 1))
			e.Wait(6 * time.Minute)
		},
		"cancelled-midway": func(e *rig.Exchange) { e.Post(rig.AskSeveral); e.TapKey("2.") },
		"expired":          func(e *rig.Exchange) { e.Post(rig.AskDeployLine()); e.Wait(31 * time.Minute) },
		"unknown-ids": func(e *rig.Exchange) {
			e.Post(rig.AskRegions)
			e.Say("eu, mars", e.Last().ID)
		},
		"asked-again": func(e *rig.Exchange) {
			e.Post(rig.AskRegions)
			e.Say("Mars", e.Last().ID)
			e.HTTP("GET", e.Path, "")
			e.Say("Asia", e.Last().ID)
		},
	}
}

// What went over HTTP, and below it what the chat showed, held against testdata.
func TestAskAPI_Exchanges(t *testing.T) {
	all := exchanges()
	maps.Copy(all, rig.PermissionExchanges())
	for name, play := range all {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &rig.Exchange{Rig: rig.New(t, opencode.VersionNew, nil)}
				defer e.End()
				play(e)
				e.HTTP("GET", e.Path+"?wait=30s", "")
				holdAsk(t, name+".txt", e.Text.String()+"\n"+e.Telegram.History(rig.Ada))
			})
		})
	}
}

func holdAsk(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "asks", name)
	if *rig.Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("it reads differently now, %v; look at it and run with -update if it is right:\n%s", err, got)
	}
}
