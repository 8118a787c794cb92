//go:build e2e

package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/telegramsim"
	"hermes/internal/testlevel"
)

// TestHub is one hermes for four machines of two people: of each an OpenCode 1 with the plugin, and the stand-in for OpenCode 2 with
// hermes link run. All ask at once; while they wait, one machine is given to the other person, and hermes is killed as soon as that one
// sees the card: maybe before it stored the message's id.
func TestHub(t *testing.T) {
	t.Parallel()
	adas := newPhone(t)
	adas.telegram.AddUser(telegramsim.User{ID: bo, FirstName: "Bo", LanguageCode: "en"})
	bos := &phone{t: t, person: bo, telegram: adas.telegram, url: adas.url, ends: map[int]string{}}
	h := newHermes(t, adas.url)
	h.start(t, "HERMES_TELEGRAM_USERS="+strconv.Itoa(ada)+","+strconv.Itoa(bo), "HERMES_NOTIFY_DELAY=0")
	adas.say("/start", 0)
	bos.say("/start", 0)
	ledger := &owner{phone: adas, project: "ledger", asks: database("Which database keeps the ledger?")}
	diary := &owner{phone: bos, project: "diary", asks: database("Which database keeps the diary?")}
	var atlas, novel *remote2
	together(t,
		func() { ledger.window = openOwned(t, entry{newest, linkedServe}, "ledger", h, ada) },
		func() {
			diary.window = openOwned(t, entry{testlevel.Choose(newest, oldest), linkedServe}, "diary", h, bo)
		},
		func() { atlas, novel = openService(t, h, adas, "atlas"), openService(t, h, bos, "novel") },
	)
	h.awaitReady(t)
	eventually(t, "four machines are linked", func() bool { return linked(t, h) == 4 })

	maps, tales := database("Which database keeps the maps?"), database("Which database keeps the tales?")
	together(t,
		func() { ledger.window.ask("books", call(ledger.asks)) },
		func() { diary.window.ask("pages", call(diary.asks)) },
		func() { atlas.ask(call(maps)) },
		func() { novel.ask(call(tales)) },
	)
	first := adas.card(ledger.asks)
	cards := map[string]int{"diary": bos.card(diary.asks), "maps": adas.card(maps), "tales": bos.card(tales)}

	if out, err := h.command("link", "owner", "machine-ledger", "--person", strconv.Itoa(bo)).CombinedOutput(); err != nil {
		t.Fatalf("hermes link owner: %v\n%s", err, out)
	}
	bos.card(ledger.asks)
	h.kill()
	bos.tap(cards["diary"], "2.") // nobody is there
	h.start(t)
	diary.window.told(diary.asks, answered(diary.asks.Question, "PostgreSQL (Recommended)"))
	bos.tapOpen(ledger.asks, "1.")
	ledger.window.told(ledger.asks, answered(ledger.asks.Question, "SQLite"))
	adas.tap(cards["maps"], "2.")
	bos.tap(cards["tales"], "1.")
	atlas.wasTold(maps, "PostgreSQL (Recommended)")
	novel.wasTold(tales, "SQLite")
	bos.endsOnce(diary.asks, "PostgreSQL (Recommended)", "Bo")
	bos.endsOnce(tales, "SQLite", "Bo")
	adas.reads(first, "No longer yours")
	adas.endsOnce(maps, "PostgreSQL (Recommended)", "Ada")
	bos.endsOnceOrTwice(ledger.asks, "SQLite", "Bo")
	h.stop(t)
	if n := len(adas.copies()); n != 0 {
		t.Errorf("%d copies in a chat in which nothing was on its way when hermes was killed", n)
	}
	holdsNot(t, adas, diary.asks.Question, tales.Question, diary.window.Dir, novel.dir)
	holdsNot(t, bos, maps.Question, atlas.dir)
	for _, o := range []*owner{ledger, diary} {
		if got := results(o.window.Model.Requests(), o.asks); len(got) != 1 {
			t.Errorf("the model of %s was told %q", o.project, got)
		}
	}
}

// together does parts of a preparation side by side.
func together(t *testing.T, parts ...func()) {
	t.Helper()
	var all sync.WaitGroup
	for _, part := range parts {
		all.Go(part)
	}
	all.Wait()
	if t.Failed() {
		t.FailNow() // a part has ended early
	}
}

// holdsNot holds that a person's chat never had a word of what is another's.
func holdsNot(t *testing.T, p *phone, canaries ...string) {
	t.Helper()
	for _, canary := range canaries {
		if chat := p.telegram.History(p.person); strings.Contains(chat, canary) {
			t.Errorf("%q is in the chat of %d:\n%s", canary, p.person, chat)
		}
	}
}

// linked is how many machines have a link open now.
func linked(t *testing.T, h *hermes) int {
	t.Helper()
	out, err := h.command("link", "list", "--json").Output()
	if err != nil {
		t.Fatalf("hermes link list: %v", err)
	}
	return strings.Count(string(out), `"open":1`) + strings.Count(string(out), `"open": 1`)
}

// openService starts the stand-in for OpenCode 2 on a machine that is linked as this person's, with hermes link run beside it.
func openService(t *testing.T, h *hermes, p *phone, project string) *remote2 {
	t.Helper()
	oc := newStandInProcess(t, opencode2sim.Release, os.Getpid()) // a process of this user that runs
	oc.start()
	folder := t.TempDir()
	token, err := h.command("link", "add", "service-"+project, "--person", strconv.FormatInt(p.person, 10)).Output()
	if err != nil {
		t.Fatalf("hermes link add: %v", err)
	}
	file, registration := filepath.Join(folder, "token"), filepath.Join(folder, "service.json")
	raw, err := json.Marshal(map[string]any{"id": "one", "version": opencode2sim.VersionRelease, "url": oc.url, "pid": os.Getpid(), "password": opencode2Password})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{file: token, registration: raw} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.installPlugin(t, folder, "--url", "http://"+h.listen, "--token-file", file)
	run := exec.Command(h.bin, "link", "run", "--config-dir", folder)
	run.Env = []string{"HOME=" + folder, "PATH=" + os.Getenv("PATH"), "HERMES_OPENCODE_SERVICE=" + registration}
	run.Stdout, run.Stderr = t.Output(), t.Output()
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGTERM)
		if err := run.Wait(); err != nil {
			t.Errorf("hermes link run ended with %v", err)
		}
	})
	d := &desk{t: t, phone: p, hermes: h}
	return &remote2{remote: &remote{desk: d, heard: map[int]bool{}}, oc: oc, dir: newProject(t, project)}
}

// wasTold holds that the model was told this answer, once.
func (r *remote2) wasTold(q item, option string) {
	r.t.Helper()
	want := answered(q.Question, option)
	eventually(r.t, "the model goes on", func() bool { return r.said(want) > 0 })
	r.idle()
	if calls := r.calls(); len(calls) != 1 || calls[0].result() != want {
		r.t.Errorf("the model was told %+v, want only %q", calls, want)
	}
}
