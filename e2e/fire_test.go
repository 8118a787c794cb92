//go:build e2e

package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/simulate/telegramsim"
)

// fireRules have Ada and Bo both allow what deploys, and let the agent sleep.
const fireRules = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[person]]
id    = 43
name  = "Bo"
roles = ["lead"]
[[person]]
id    = 44
name  = "Chen"
roles = ["lead"]

[remote]
roles = ["lead"]

[[rule]]
name       = "deploys"
permission = "bash"
pattern    = "*deploy-*"
chats      = [42, 43]
approvals  = 2
[[rule]]
name       = "naps"
permission = "bash"
pattern    = "sleep *"
decide     = "allow-once"
`

// chen drives a session, and follows what it does.
const chen = 44

// BenchmarkFire lets hermes be killed with SIGKILL at random moments, again and again, for as long as FIRE says (2 minutes unless
// it says otherwise), while an agent asks, two people allow, and a third sends prompts and follows. Each answer must arrive once, each message
// must tell the truth, the journal must be whole, and nothing may be open at the end. FIRE_SEED plays the moments of another run.
func BenchmarkFire(b *testing.B) {
	b.Run("opencode", func(b *testing.B) { playFire(b, newRealFire) })
	b.Run("stand-in", func(b *testing.B) { playFire(b, newStandInFire) })
}

// burning is an agent that can be asked what became of what it asked.
type burning interface {
	ask(q item)
	deploy(name string)
	newSession(title string) string
	// answers are how often the agent got this answer to the question, and how often any.
	answers(q item, label string) (right, all int)
	// deploys is how often a deployment was run.
	deploys(name string) int
	// prompts is how often the agent got a prompt.
	prompts(text string) int
}

// fire is a hermes that is killed all the time.
type fire struct {
	*testing.B
	agent    burning
	telegram *telegramsim.Server
	until    time.Time
	seed     uint64
	kills    int

	mu        sync.Mutex
	truths    map[string]bool // all that a message may tell at last
	questions map[string]item
	chosen    map[string]string
	deployed  []string
	prompted  []string
	again     int // taps that were made once more, because the first had no effect in half a minute
}

func fireTime(b *testing.B) time.Duration {
	text := os.Getenv("FIRE")
	if text == "" {
		return 2 * time.Minute
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		b.Fatal("FIRE:", err)
	}
	return d
}

func fireSeed() (seed uint64) {
	if _, err := fmt.Sscan(os.Getenv("FIRE_SEED"), &seed); err != nil {
		seed = rand.Uint64()
	}
	return seed
}

// playFire plays one fire, with the people each at their own work, and the killer in the benchmark's goroutine.
func playFire(b *testing.B, light func(*testing.B, *phone, *hermes) burning) {
	p := newPhone(b)
	for id, name := range map[int64]string{bo: "Bo", chen: "Chen"} {
		p.telegram.AddUser(telegramsim.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
	h := newHermes(b, p.url)
	h.env["HERMES_LOG_LEVEL"] = "info"
	delete(h.env, "HERMES_TELEGRAM_USERS") // the rules say who they are
	f := &fire{
		B: b, telegram: p.telegram, seed: fireSeed(), truths: map[string]bool{}, questions: map[string]item{}, chosen: map[string]string{},
	}
	b.Logf("FIRE_SEED=%d", f.seed)
	fmt.Printf("fire: FIRE_SEED=%d\n", f.seed)
	f.agent = light(b, p, h)
	rules := filepath.Join(h.home, "rules.toml")
	if err := os.WriteFile(rules, []byte(fireRules), 0o600); err != nil {
		b.Fatal(err)
	}
	h.start(b, "HERMES_NOTIFY_DELAY=0", "HERMES_TELEGRAM_CHATS=42", "HERMES_RULES="+rules)
	h.awaitReady(b)
	for _, id := range []int64{ada, bo, chen} {
		f.say(id, "/start")
	}
	began := time.Now()
	f.until = began.Add(fireTime(b))
	var people sync.WaitGroup
	for n, work := range []func(*rand.Rand){f.question, f.question, f.deploy, f.drive()} {
		people.Go(func() {
			for dice := rand.New(rand.NewPCG(f.seed, uint64(n))); time.Now().Before(f.until) && !b.Failed(); {
				work(dice)
			}
		})
	}
	f.kill(h)
	people.Wait()
	f.judge(h)
	f.report(time.Since(began))
}

// kill kills hermes until the time is over, and leaves it alive.
func (f *fire) kill(h *hermes) {
	dice := rand.New(rand.NewPCG(f.seed, 99))
	for time.Now().Before(f.until) && !f.Failed() {
		time.Sleep(time.Duration(dice.Int64N(int64(6 * time.Second))))
		h.kill()
		f.kills++
		time.Sleep(time.Duration(dice.Int64N(int64(time.Second))))
		h.start(f.B)
	}
}

// judge waits until nothing is owed any more, and looks at everything.
func (f *fire) judge(h *hermes) {
	h.awaitReady(f.B)
	f.awaitPrompts(h)
	eventually(f.B, "each prompt has its 👍", func() bool { return f.unmarked() == "" })
	eventually(f.B, "all messages tell the truth", func() bool { return f.lie() == "" })
	eventually(f.B, "no update waits", func() bool { return f.telegram.Pending() == 0 })
	f.count()
	f.checkViolations()
	if out, err := h.command("pending").CombinedOutput(); err != nil || strings.Contains(string(out), "Fire") {
		f.Errorf("hermes pending: %v\n%s", err, out)
	}
	if out, err := h.command("audit", "--verify").CombinedOutput(); err != nil || !strings.HasSuffix(string(out), ", the chain is whole\n") {
		f.Errorf("hermes audit --verify: %v\n%s", err, out)
	}
	h.stop(f.B)
}

// awaitPrompts waits for the prompts that are still on their way: a 👍 says that the session has one, and the model gets it a moment later; and the last
// one may have been written while hermes was dead, or had no link. What is not there in that time was lost.
func (f *fire) awaitPrompts(h *hermes) {
	for began := time.Now(); time.Since(began) < patience && f.missing() != ""; {
		time.Sleep(100 * time.Millisecond)
	}
	if text := f.missing(); text != "" {
		journal, _ := h.command("audit").CombinedOutput()
		f.Errorf("the agent did not get %q\n%s\nthe journal:\n%s", text, f.telegram.Transcript(chen), journal)
	}
}

// missing is a prompt that the agent does not have; none if it has all.
func (f *fire) missing() string {
	for _, text := range f.prompted {
		if f.agent.prompts(text) == 0 {
			return text
		}
	}
	return ""
}

// unmarked is a prompt that does not show that it arrived; none if all do.
func (f *fire) unmarked() string {
	for _, m := range f.telegram.Messages(chen) {
		if slices.Contains(f.prompted, m.Text) && m.Reaction != "👍" {
			return m.Text
		}
	}
	return ""
}

// count holds that everything arrived once.
func (f *fire) count() {
	for text, q := range f.questions {
		if right, all := f.agent.answers(q, f.chosen[text]); right != 1 || all != 1 {
			f.Errorf("%s: the agent got %q %d times, and %d answers in all", text, f.chosen[text], right, all)
		}
	}
	for _, name := range f.deployed {
		if n := f.agent.deploys(name); n != 1 {
			f.Errorf("%s was run %d times", name, n)
		}
	}
	for _, text := range f.prompted {
		if n := f.agent.prompts(text); n > 1 {
			f.Errorf("the agent got %q %d times\n%s", text, n, f.telegram.Transcript(chen))
		}
	}
}

// checkViolations holds that Telegram had nothing to complain about but what a kill causes, which comes at most once with each: a tap that got no
// answer, and a call in a time in which hermes had been told to be silent, which it does not know any more.
func (f *fire) checkViolations() {
	taps, silences := 0, 0
	for _, v := range f.telegram.Violations() {
		switch {
		case strings.Contains(v, "got no answer") && taps < f.kills:
			taps++
		case strings.Contains(v, "Too Many Requests") && silences < f.kills:
			silences++
		default:
			f.Error("against Telegram's rules:", v)
		}
	}
}

// lie is a message that tells something else than what was; none if all tell the truth.
func (f *fire) lie() string {
	for _, id := range []int64{ada, bo, chen} {
		for _, m := range f.telegram.Messages(id) {
			text := settled(m.Text)
			asks := strings.Contains(text, "Fire ") || strings.Contains(text, "deploy-")
			if m.FromBot && !m.Deleted && (!over(m) || strings.HasPrefix(text, "⚙️") || asks && id != chen && !f.truths[text] && !passing(text)) {
				return text
			}
		}
	}
	return ""
}

// passing reports whether a message tells of a moment: a reminder, or that another message is the one that counts.
func passing(text string) bool {
	return strings.HasPrefix(text, "⏰") || strings.HasPrefix(text, "↪") || strings.HasPrefix(text, "📡")
}

func (f *fire) report(took time.Duration) {
	f.ReportMetric(0, "ns/op")
	f.ReportMetric(took.Minutes(), "minutes")
	f.ReportMetric(float64(f.kills), "kills")
	f.ReportMetric(float64(len(f.questions)), "questions")
	f.ReportMetric(float64(len(f.deployed)), "approvals")
	f.ReportMetric(float64(len(f.prompted)), "prompts")
	f.ReportMetric(float64(f.again), "taps-again")
}
