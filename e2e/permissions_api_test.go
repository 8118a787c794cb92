//go:build e2e

package e2e_test

import (
	"encoding/json"
	"net/http"
)

// scenesUnderAPI play asks of sessions under /api, the runner that is new inside 1.x.
func scenesUnderAPI() []scene {
	return []scene{
		{"under /api: once", onceUnderAPI, quick | byServer | byNewest},
		{"under /api: reject", rejectUnderAPI, byServer | byNewest},
		{"under /api: always", alwaysUnderAPI, byServer | byNewest},
	}
}

// askUnderAPI gives the model a prompt in a new session under /api.
func (w *window) askUnderAPI(script string) {
	w.t.Helper()
	var made struct{ Data struct{ ID string } }
	status, raw := w.Call(http.MethodPost, "/api/session", map[string]any{"location": map[string]string{"directory": w.Dir}})
	if err := json.Unmarshal(raw, &made); err != nil || status != http.StatusOK {
		w.t.Fatalf("POST /api/session: %d %s", status, raw)
	}
	prompt := map[string]any{"prompt": map[string]string{"text": script}}
	if status, raw := w.Call(http.MethodPost, "/api/session/"+made.Data.ID+"/prompt", prompt); status != http.StatusOK {
		w.t.Fatalf("POST prompt: %d %s", status, raw)
	}
}

func onceUnderAPI(d *desk) {
	d.here.askUnderAPI(run("touch api-once && true"))
	card := d.phone.cardWith("touch api-once && true")
	d.here.noFile("api-once")
	d.phone.tap(card, "✅ Allow once")
	d.here.awaitFile("api-once")
	d.phone.end(card, command("✅", "touch api-once && true", "Allowed once by Ada · hh:mm")...)
}

func rejectUnderAPI(d *desk) {
	d.here.askUnderAPI(run("touch api-no"))
	card := d.phone.cardWith("touch api-no")
	d.phone.tap(card, "🚫 Reject")
	d.phone.end(card, command("🚫", "touch api-no", "Rejected by Ada · hh:mm")...)
	d.here.noFile("api-no")
}

// alwaysUnderAPI: OpenCode keeps the command, as it stands, for the project.
func alwaysUnderAPI(d *desk) {
	d.here.askUnderAPI(run("echo x >> api-always"))
	card := d.phone.cardWith("echo x >> api-always")
	d.phone.tap(card, "🔓 Always allow")
	d.phone.reads(card, "also after a restart, without asking: echo x >> api-always")
	d.phone.tap(card, "🔓 Always allow")
	eventually(d.t, "it has run", func() bool { return d.here.read("api-always") == "x\n" })
	d.phone.reads(card, "Allowed from now on by Ada")
	d.phone.ends[card] = settled(d.phone.message(card).Text)
	d.here.askUnderAPI(run("echo x >> api-always"))
	eventually(d.t, "it has run again, without an ask", func() bool { return d.here.read("api-always") == "x\nx\n" })
}
