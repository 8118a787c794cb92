//go:build packages

package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// way is how hermes comes to a machine, and where it has its things there.
type way struct {
	user, home string // who it runs as
	config, db string
	flags      []string // that name the configuration; none: it is in its usual place
	install    func(r *bareRoot, version string)
}

// install installs a version, over the one that is there.
func (r *bareRoot) install(version string) {
	r.t.Helper()
	r.way.install(r, version)
	if got := r.does(r.way.user, "hermes", "--version"); !strings.HasPrefix(got, "hermes v"+version+" ") {
		r.t.Errorf("of %s there is %s", version, got)
	}
}

// line is the command line of the installed hermes with these arguments.
func (r *bareRoot) line(args ...string) []string {
	return slices.Concat([]string{"hermes"}, args, r.way.flags)
}

// says runs a command of hermes to its end.
func (r *bareRoot) says(args ...string) string {
	r.t.Helper()
	return r.does(r.way.user, r.line(args...)...)
}

// serves runs hermes as its unit would, until stop.
func (r *bareRoot) serves() (stop func()) {
	r.t.Helper()
	return r.runs(r.as(r.way.user, r.line("serve")...))
}

// receives waits until the agent has the answer of a call.
func (r *bareRoot) receives(call, label string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := r.telegram.Await(ctx, func() bool { _, ok := r.agent.Received(call); return ok }); err != nil {
		r.t.Fatalf("the agent has no answer: %v", err)
	}
	if got, _ := r.agent.Received(call); !reflect.DeepEqual(got, [][]string{{label}}) {
		r.t.Errorf("the agent got %q, not %q", got, label)
	}
}

// journey is that of a hermes that was installed: it is set up, carries an answer, is upgraded with an open question, and restored twice. It
// returns the configuration, which is the same throughout.
func (r *bareRoot) journey() (configured string) {
	r.t.Helper()
	r.setsUp()
	stop := r.serves()
	call := r.asks(r.agent, rig.DatabaseQuestion())
	r.taps("Which database should this feature use?", "2.")
	r.receives(call, "PostgreSQL (Recommended)")
	configured = r.read(r.way.config)
	stop = r.upgrades(stop)
	stop = r.restores(stop)
	stop = r.losesDatabase(stop)
	again := r.asks(r.agent, twoOptions("Which port?", "80", "443"))
	r.taps("Which port?", "2.")
	r.receives(again, "443")
	stop()
	if got := r.read(r.way.config); got != configured {
		r.t.Errorf("the configuration has become\n%s", got)
	}
	return configured
}

func twoOptions(question, one, other string) opencode.Question {
	return opencode.Question{Question: question, Header: "Two", Options: []opencode.Option{{Label: one}, {Label: other}}}
}

func (r *bareRoot) setsUp() {
	r.t.Helper()
	if _, err := r.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		r.t.Fatal(err)
	}
	setup := r.as(r.way.user, r.line(append([]string{"setup"}, script()...)...)...)
	setup.Env = append(slices.Clip(r.env), "HERMES_TELEGRAM_TOKEN="+rig.TestToken)
	if out, err := setup.CombinedOutput(); err != nil {
		r.t.Fatalf("setup: %v\n%s", err, out)
	}
}

// upgrades installs the next version under a hermes that runs, with a question that the next one answers.
func (r *bareRoot) upgrades(stop func()) func() {
	r.t.Helper()
	call := r.asks(r.agent, twoOptions("Which name?", "Ada", "Bea"))
	card := r.shows("Which name?")
	r.install("1.0.1")
	stop()
	stop = r.serves()
	r.tap(card, "1.")
	r.receives(call, "Ada")
	return stop
}

// restores puts a backup in the place of the database: one that was made while hermes ran and a question was open, which was
// answered after it. A restore under a hermes that runs is refused.
func (r *bareRoot) restores(stop func()) func() {
	r.t.Helper()
	copied := filepath.Join(filepath.Dir(r.way.db), "copy.db")
	call := r.asks(r.agent, twoOptions("Which region?", "east", "west"))
	card := r.shows("Which region?")
	r.says("backup", copied)
	r.tap(card, "1.")
	r.receives(call, "east")
	if out, err := r.as(r.way.user, r.line("restore", copied)...).CombinedOutput(); err == nil {
		r.t.Errorf("a backup is restored under a hermes that runs:\n%s", out)
	}
	stop()
	r.puts(copied)
	return r.serves()
}

// losesDatabase ends hermes and deletes its database, with a question open that is in a backup which was made while it ran: it is answered
// on the card that was there.
func (r *bareRoot) losesDatabase(stop func()) func() {
	r.t.Helper()
	copied := filepath.Join(filepath.Dir(r.way.db), "copy.db")
	call := r.asks(r.agent, twoOptions("Which cloud?", "ours", "theirs"))
	card := r.shows("Which cloud?")
	r.says("backup", "--replace", copied)
	stop()
	if err := os.Remove(filepath.Join(r.dir, r.way.db)); err != nil {
		r.t.Fatal(err)
	}
	r.puts(copied)
	stop = r.serves()
	r.tap(card, "2.")
	r.receives(call, "theirs")
	return stop
}

// puts restores a backup, as who hermes runs as.
func (r *bareRoot) puts(copied string) {
	r.t.Helper()
	if out := r.says("restore", copied); !strings.Contains(out, "is the backup now") {
		r.t.Errorf("restore says:\n%s", out)
	}
	user, group, _ := strings.Cut(r.way.user, ":")
	if got := strings.TrimSpace(r.does("root", "stat", "-c", "%U %G %a", r.way.db)); got != user+" "+group+" 600" {
		r.t.Errorf("the restored database is of %s", got)
	}
	r.says("audit", "--verify")
}
