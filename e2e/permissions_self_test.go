//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"hermes/internal/simulate/telegramsim"
)

// selfApproval is what an agent runs that has read the API's token: it waits for the ask
// about "touch pushed", tries to answer it in every way, and to let somebody in.
const selfApproval = `import { readFileSync, renameSync, writeFileSync } from "node:fs"
const headers = { Authorization: "Bearer " + readFileSync(%q, "utf8").trim(), "Content-Type": "application/json" }
const call = async (method, path, body) => {
  const res = await fetch(%q + path, { method, headers, body: body && JSON.stringify(body) })
  return { status: res.status, text: await res.text() }
}
let ask
for (let n = 0; n < 300 && !ask; n++) {
  const { questions } = JSON.parse((await call("GET", "/v1/questions")).text)
  ask = questions.find((q) => q.state === "open" && q.permission?.command === "touch pushed")
  if (!ask) await new Promise((done) => setTimeout(done, 100))
}
const answers = []
for (const body of [{ answers: [["once"]] }, { answers: [["always"]] }, { reject: true }])
  answers.push(await call("POST", "/v1/questions/" + ask.id, body))
const pair = await call("POST", "/v1/pair", { name: "Ada" })
writeFileSync("result.tmp", JSON.stringify({ answers, pair }))
renameSync("result.tmp", "result.json")
`

// approvesItself plays an agent that holds the API's token: a person's tap decides.
func approvesItself(d *desk) {
	token := filepath.Join(d.hermes.home, "hook-token")
	script := fmt.Sprintf(selfApproval, token, "http://"+d.hermes.listen)
	if err := os.WriteFile(d.here.path("self.mjs"), []byte(script), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.here.ask("push it", run("node self.mjs", "touch pushed"))
	first, pushed := d.phone.cardWith("node self.mjs"), d.phone.cardWith("touch pushed")
	d.phone.tap(first, "✅ Allow once")
	d.here.awaitFile("result.json")
	var got struct {
		Answers []struct {
			Status int
			Text   string
		}
		Pair struct {
			Status int
			Text   string
		}
	}
	if err := json.Unmarshal([]byte(d.here.read("result.json")), &got); err != nil || len(got.Answers) != 3 {
		d.t.Fatalf("the agent wrote %q, %v", d.here.read("result.json"), err)
	}
	for _, a := range got.Answers {
		if a.Status != http.StatusForbidden || !strings.Contains(a.Text, "decided by people, in the chat alone") {
			d.t.Errorf("the agent got %d %s", a.Status, a.Text)
		}
	}
	d.letsNobodyIn(got.Pair.Text)
	d.here.noFile("pushed")
	d.phone.reads(pushed, "🔐 Run a command · shop-api\ntouch pushed")
	d.phone.tap(pushed, "✅ Allow once")
	d.here.awaitFile("pushed")
	d.phone.end(first, command("✅", "node self.mjs", "Allowed once by Ada · hh:mm")...)
	d.phone.end(pushed, command("✅", "touch pushed", "Allowed once by Ada · hh:mm")...)
}

// letsNobodyIn has an account of the agent's open the link that it has made: Ada is asked,
// and refuses.
func (d *desk) letsNobodyIn(answer string) {
	d.t.Helper()
	var made struct{ Link string }
	if err := json.Unmarshal([]byte(answer), &made); err != nil || made.Link == "" {
		d.t.Fatalf("POST /v1/pair gave %q, %v", answer, err)
	}
	const mallory = 666
	d.phone.telegram.AddUser(telegramsim.User{ID: mallory, FirstName: "Ada", LanguageCode: "en"})
	if _, err := d.phone.telegram.OpenLink(mallory, made.Link, 0); err != nil {
		d.t.Fatal(err)
	}
	card := d.phone.cardWith("asks to be let in")
	d.phone.reads(card, "id 666")
	d.phone.tap(card, "🚫 Refuse")
	d.phone.reads(card, "Refused by Ada")
	d.phone.ends[card] = settled(d.phone.message(card).Text)
	eventually(d.t, "Mallory is told", func() bool {
		return strings.Contains(d.phone.telegram.Transcript(mallory), "You were not let in.")
	})
	if text := d.phone.telegram.Transcript(mallory); strings.Contains(text, "touch") {
		d.t.Errorf("Mallory sees\n%s", text)
	}
}
