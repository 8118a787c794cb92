//go:build e2e

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
)

// decidingRules answer by what is asked, so that every scene has its own.
const decidingRules = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]

[[rule]]
name   = "rejecting"
text   = "does a rule reject"
decide = "reject"
notify = true
[[rule]]
name   = "first"
text   = "does a rule accept"
decide = "accept-first"
[[rule]]
name               = "recommended"
text               = "does a rule prefer"
decide             = "accept-first"
prefer_recommended = true
notify             = true
[[rule]]
name     = "given"
text     = ["does a rule give", "Which languages does it"]
decide   = "auto"
answers  = [{ header = "database", answer = "postgresql" }, { number = 2, answer = ["Zig", "Go"] }]
notify   = true
[[rule]]
name     = "else first"
text     = "does a rule not know, so first"
decide   = "auto"
answers  = [{ number = 1, answer = ["SQLite", "PostgreSQL"] }]
fallback = "accept-first"
[[rule]]
name    = "else reject"
text    = "does a rule not know, so none"
decide  = "auto"
answers = [{ header = "Cache", answer = "Redis" }]
notify  = true

[[rule]]
name       = "late reject"
text       = "is late and rejected"
timeout    = "2s"
on_timeout = "reject"
[[rule]]
name       = "late first"
text       = "is late and accepted"
timeout    = "2s"
on_timeout = "accept-first"
[[rule]]
name       = "late wait"
text       = "is late and waits"
timeout    = "2s"
on_timeout = "wait"

[[rule]]
name       = "no touching"
permission = "bash"
pattern    = "*touch forbidden*"
decide     = "reject"
notify     = true
`

// ruleScenes play what rules decide, about questions and permissions: with a rules file in
// the first scene, and without one after the last.
func ruleScenes() []scene {
	return []scene{
		{"rules: reject", func(d *desk) { d.ruledBy(decidingRules); ruleRejects(d) }, quick},
		{"rules: accept-first", ruleAcceptsFirst, everywhere},
		{"rules: accept-first, recommended", ruleAcceptsRecommended, hermesAlone},
		{"rules: auto", ruleGives, quick},
		{"rules: auto, falling back", ruleFallsBack, hermesAlone},
		{"rules: forward, late: reject", ruleLateReject, hermesAlone},
		{"rules: forward, late: accept-first", ruleLateFirst, hermesAlone},
		{"rules: forward, late: wait", ruleLateWait, hermesAlone},
		{"rules: permission rejected", func(d *desk) { ruleForbids(d); d.ruledBy("") }, quick},
	}
}

// ruledBy has hermes start again with that rules file, or without one.
func (d *desk) ruledBy(rules string) {
	d.t.Helper()
	if rules == "" {
		d.restart("HERMES_RULES=")
		return
	}
	path := filepath.Join(d.hermes.home, "rules.toml")
	if err := os.WriteFile(path, []byte(rules), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.restart("HERMES_RULES=" + path)
}

// ruled waits for the message about what a rule has decided, and holds it to be this.
func (p *phone) ruled(lines ...string) {
	p.t.Helper()
	want, id := strings.Join(lines, "\n"), 0
	p.await("the message\n"+want+"\n", func() bool {
		for _, m := range p.telegram.Messages(ada) {
			if m.FromBot && settled(m.Text) == want {
				id = m.ID
			}
		}
		return id != 0
	})
	p.end(id, lines...)
}

func ruleRejects(d *desk) {
	q := database("Which database does a rule reject?")
	d.here.ask("rejected by rule", call(q))
	d.phone.ruled("🤖 Database · shop-api", q.Question, "Dismissed by rule “rejecting” · hh:mm")
	d.here.goOn("after the rule")
	d.here.told(q, d.here.dismissal())
}

func ruleAcceptsFirst(d *desk) {
	q := database("Which database does a rule accept?")
	d.here.ask("accepted by rule", call(q))
	d.here.told(q, answered(q.Question, "SQLite"))
}

func ruleAcceptsRecommended(d *desk) {
	q := database("Which database does a rule prefer?")
	d.here.ask("preferred by rule", call(q))
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.ruled("🤖 Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "by rule “recommended” · hh:mm")
}

func ruleGives(d *desk) {
	q := database("Which database does a rule give?")
	languages := item{Question: "Which languages does it give?", Header: "Languages", Multiple: true, Options: []option{{"Go", "g"}, {"Rust", "r"}, {"Zig", "z"}}}
	d.here.ask("given by rule", call(q, languages))
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)", languages.Question, "Zig, Go"))
	d.phone.ruled("🤖 Database, Languages · shop-api",
		"1. Database → PostgreSQL (Recommended)", "2. Languages → Zig, Go", "by rule “given” · hh:mm")
}

func ruleFallsBack(d *desk) {
	first := database("Which database does a rule not know, so first?")
	d.here.ask("falls back", call(first))
	d.here.told(first, answered(first.Question, "SQLite"))
	none := database("Which database does a rule not know, so none?")
	d.here.ask("falls back to nothing", call(none))
	d.phone.ruled("🤖 Database · shop-api", none.Question, "Dismissed by rule “else reject” · hh:mm")
	d.here.goOn("after the fallback")
	d.here.told(none, d.here.dismissal())
}

func ruleLateReject(d *desk) {
	q := database("Which database is late and rejected?")
	d.here.ask("late", call(q))
	card := d.phone.card(q)
	d.phone.end(card, "⌛ Database · shop-api", q.Question, "Nobody answered in 2 s: dismissed. The agent was told.")
	d.here.goOn("after the rule's time")
	d.here.told(q, d.here.dismissal())
}

func ruleLateFirst(d *desk) {
	q := database("Which database is late and accepted?")
	d.here.ask("late", call(q))
	card := d.phone.card(q)
	d.here.told(q, answered(q.Question, "SQLite"))
	d.phone.end(card, "⌛ Database · shop-api", q.Question, "Nobody answered in 2 s: took the first choice, SQLite.")
}

func ruleLateWait(d *desk) {
	q := database("Which database is late and waits?")
	d.here.ask("late", call(q))
	card := d.phone.card(q)
	d.phone.reads(card, "Nobody answered in 2 s. Still waiting.")
	d.phone.tap(card, "1.")
	d.here.told(q, answered(q.Question, "SQLite"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
}

func ruleForbids(d *desk) {
	d.here.ask("forbidden by rule", run("touch beside && touch forbidden"))
	d.phone.ruled(command("🤖", "touch beside && touch forbidden", "Rejected by rule “no touching” · hh:mm")...)
	d.here.goOn("after the rule's rejection")
	d.here.toldOf("touch forbidden", d.here.rejection(""))
	d.here.noFile("forbidden")
	d.here.noFile("beside")
}
