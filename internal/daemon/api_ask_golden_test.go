package daemon_test

import (
	"fmt"
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
func exchanges() map[string]func(*askExchange) {
	return map[string]func(*askExchange){
		"single": func(e *askExchange) { e.Post(rig.AskDeployLine()); e.TapKey("1.") },
		"multiple": func(e *askExchange) {
			e.Post(rig.AskRegions)
			e.TapKey("☐ 1.")
			e.TapKey("☐ 3.")
			e.TapKey("✅ Done")
		},
		"several": func(e *askExchange) {
			e.Post(rig.AskSeveral)
			e.TapKey("1.")
			e.Say("Faster, and <b>no</b> new bugs", e.Last().ID)
			e.TapKey("✅ Send")
		},
		"typed":     func(e *askExchange) { e.Post(rig.AskRegions); e.Say("US, 3", e.Last().ID) },
		"cancelled": func(e *askExchange) { e.Post(rig.AskDeployLine()); e.TapKey("3.") },
		"dismissed": func(e *askExchange) { e.Post(rig.AskDeployLine()); e.TapKey("🚫"); e.TapKey("🚫") },
		"withdrawn": func(e *askExchange) {
			e.Post(rig.AskDeployLine())
			e.HTTP("DELETE", e.Path, "")
			e.Wait(2 * time.Second)
		},
		"context": func(e *askExchange) {
			e.Post(strings.Replace(rig.AskDeployLine(), `{"title"`, `{"context":"12 of 12 tests passed.","ttl":"5m","on_timeout":"accept-first","chats":[42],"title"`, 1))
			e.Wait(6 * time.Minute)
		},
		"cancelled-midway": func(e *askExchange) { e.Post(rig.AskSeveral); e.TapKey("2.") },
		"expired":          func(e *askExchange) { e.Post(rig.AskDeployLine()); e.Wait(31 * time.Minute) },
		"unknown-ids": func(e *askExchange) {
			e.Post(rig.AskRegions)
			e.Say("eu, mars", e.Last().ID)
		},
		"asked-again": func(e *askExchange) {
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
	maps.Copy(all, permissionExchanges())
	for name, play := range all {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &askExchange{Rig: rig.New(t, opencode.VersionNew, nil)}
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

// askExchange is an ask as its program and a person live through it.
type askExchange struct {
	*rig.Rig
	Path string
	Text strings.Builder // what went over HTTP, with the ask's id taken out
}

// HTTP is one call, written down.
func (e *askExchange) HTTP(method, path, body string) {
	e.T.Helper()
	code, answer := e.Request(method, path, body)
	if e.Path == "" {
		e.Path = "/v1/ask/" + answer[len(`{"id":"`):len(answer)-len("\"}\n")]
	}
	shown := func(s string) string { return strings.ReplaceAll(s, strings.TrimPrefix(e.Path, "/v1/ask/"), "ask_1") }
	fmt.Fprintf(&e.Text, "%s\n%d %s", strings.TrimSpace(method+" "+shown(path)+" "+body), code, shown(answer))
}

// Post asks, and waits until the phone shows it.
func (e *askExchange) Post(body string) {
	e.T.Helper()
	e.HTTP("POST", "/v1/ask", body)
	e.Wait(2 * time.Second)
}

// TapKey is something that the person does, which takes a moment.
func (e *askExchange) TapKey(tap string) {
	e.T.Helper()
	e.Tap(tap)
	e.Wait(2 * time.Second)
}

// permissionExchanges are the examples of the protocol, of permissions.
func permissionExchanges() map[string]func(*askExchange) {
	return map[string]func(*askExchange){
		"permission-allowed":  func(e *askExchange) { e.Post(rig.AskLeave); e.TapKey("✅ Allow once") },
		"permission-rejected": func(e *askExchange) { e.Post(rig.AskLeave); e.TapKey("🚫 Reject") },
		"permission-noted": func(e *askExchange) {
			e.Post(rig.AskLeave)
			e.TapKey("💬 Reject, say why")
			e.Say("Use make clean.", e.Last().ID)
			e.Wait(2 * time.Second)
		},
		"permission-in-words": func(e *askExchange) {
			e.Post(rig.AskLeave)
			e.Say("Allow once", e.Last().ID)
			e.Wait(2 * time.Second)
			e.HTTP("GET", e.Path, "")
			e.TapKey("💬 Reject, say why")
		},
		"permission-expired": func(e *askExchange) {
			e.Post(strings.Replace(rig.AskLeave, `{"title"`, `{"ttl":"5m","title"`, 1))
			e.Wait(6 * time.Minute)
		},
		"permission-withdrawn": func(e *askExchange) {
			e.Post(rig.AskLeave)
			e.HTTP("DELETE", e.Path, "")
			e.Wait(2 * time.Second)
		},
		"permission-to-edit": func(e *askExchange) {
			e.Post(`{"permission":{"kind":"edit","patterns":["main.go"],"diff":"-a\n+b"},"ttl":0}`)
			e.TapKey("✅ Allow once")
		},
	}
}
