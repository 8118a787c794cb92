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
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/simulate/telegramsim"
)

// crowdRules have Ada and Bo both allow what deploys.
const crowdRules = `
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
`

// chen drives a session, and follows what it does.
const chen = 44

// crowd are people at work, each at their own, and the agent that they work with, while something fails around hermes again and again: an agent asks,
// two people allow, and a third sends prompts and follows. In the end each answer must have arrived once, each message must tell the truth, the journal must be
// whole, and nothing may be open.
type crowd struct {
	testing.TB
	agent    burning
	telegram *telegramsim.Server
	seed     uint64
	faults   int // how often something failed
	rivals   int // how often a hermes may have polled beside one that was lost, but had not ended
	over     atomic.Bool

	mu        sync.Mutex
	truths    map[string]bool // all that a message may tell at last
	unclear   map[string]bool // the same where a fault came just between a permission's answer and the word that it had arrived: OpenCode keeps no trace of whose it was
	questions map[string]item
	chosen    map[string]string
	deployed  []string
	prompted  []string
	again     int // taps that were made once more, because the first had no effect in half a minute
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

// reached is who an agent is made known to.
type reached interface {
	installPlugin(t testing.TB, configDir string, flags ...string)
	// serves tells of the one OpenCode that listens.
	serves(url string)
}

// seedOf is the seed that a variable gives, else a random one; it is printed, for whoever wants to play the same again.
func seedOf(variable string) (seed uint64) {
	if _, err := fmt.Sscan(os.Getenv(variable), &seed); err != nil {
		seed = rand.Uint64()
	}
	fmt.Printf("%s=%d\n", variable, seed)
	return seed
}

// newCrowd is a crowd that has not begun to work. Whoever plays the seed again has the same questions and moments.
func newCrowd(t testing.TB, p *phone, agent burning, seed uint64) *crowd {
	for id, name := range map[int64]string{bo: "Bo", chen: "Chen"} {
		p.telegram.AddUser(telegramsim.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
	return &crowd{
		TB: t, agent: agent, telegram: p.telegram, seed: seed, truths: map[string]bool{}, unclear: map[string]bool{}, questions: map[string]item{}, chosen: map[string]string{},
	}
}

// crowdSettings are what a hermes needs that the crowd works with, with the file of rules in a folder.
func crowdSettings(t testing.TB, folder string) []string {
	rules := filepath.Join(folder, "rules.toml")
	if err := os.WriteFile(rules, []byte(crowdRules), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{
		"HERMES_NOTIFY_DELAY=0", "HERMES_TELEGRAM_CHATS=42", "HERMES_RULES=" + rules, "HERMES_LOG_LEVEL=info",
		"HERMES_TELEGRAM_USERS=", // the rules say who they are
	}
}

// work has the people work while disturb runs, and finish what they have begun.
func (c *crowd) work(disturb func(dice *rand.Rand)) {
	for _, id := range []int64{ada, bo, chen} {
		c.say(id, "/start")
	}
	var people sync.WaitGroup
	for n, work := range []func(*rand.Rand){c.question, c.question, c.deploy, c.drive()} {
		people.Go(func() {
			for dice := c.dice(uint64(n)); !c.over.Load() && !c.Failed(); {
				work(dice)
			}
		})
	}
	disturb(c.dice(99))
	c.over.Store(true)
	people.Wait()
}

func (c *crowd) dice(n uint64) *rand.Rand { return rand.New(rand.NewPCG(c.seed, n)) }

// judge waits until nothing is owed any more, and looks at everything.
func (c *crowd) judge(h *hermes) {
	h.awaitReady(c.TB)
	c.awaitPrompts(h)
	c.awaitNone("a prompt has no 👍", c.unmarked)
	for _, id := range []int64{ada, bo, chen} {
		(&phone{t: c.TB, person: id, telegram: c.telegram}).tapCopies(c.faults)
	}
	c.awaitNone("a message does not tell the truth", c.lie)
	eventually(c.TB, "no update waits", func() bool { return c.telegram.Pending() == 0 })
	c.awaitNone("the agent got no answer", c.unanswered) // OpenCode says that it has one a moment before
	c.count()
	c.countUnclear()
	c.checkViolations()
	if out, err := h.command("pending").CombinedOutput(); err != nil || strings.Contains(string(out), "Unrest") {
		c.Errorf("hermes pending: %v\n%s", err, out)
	}
	if out, err := h.command("audit", "--verify").CombinedOutput(); err != nil || !strings.HasSuffix(string(out), ", the chain is whole\n") {
		c.Errorf("hermes audit --verify: %v\n%s", err, out)
	}
}

// awaitNone waits until there is nothing of a kind.
func (c *crowd) awaitNone(what string, one func() string) {
	for began := time.Now(); time.Since(began) < patience && one() != ""; {
		time.Sleep(100 * time.Millisecond)
	}
	if text := one(); text != "" {
		c.Fatalf("%s:\n%s\nwhat happened in the chats of Bo and Chen:\n%s\n%s", what, text, c.telegram.History(bo), c.telegram.History(chen))
	}
}

// awaitPrompts waits for the prompts that are still on their way: a 👍 says that the session has one, and the model gets it a moment later; and the last
// one may have been written while hermes was dead, or had no link. What is not there in that time was lost.
func (c *crowd) awaitPrompts(h *hermes) {
	for began := time.Now(); time.Since(began) < patience && c.missing() != ""; {
		time.Sleep(100 * time.Millisecond)
	}
	if text := c.missing(); text != "" {
		journal, _ := h.command("audit").CombinedOutput()
		c.Errorf("the agent did not get %q\n%s\nthe journal:\n%s", text, c.telegram.Transcript(chen), journal)
	}
}

// missing is a prompt that the agent does not have; none if it has all.
func (c *crowd) missing() string {
	for _, text := range c.prompted {
		if c.agent.prompts(text) == 0 {
			return text
		}
	}
	return ""
}

// unanswered is a question whose answer the agent does not have; none if it has all.
func (c *crowd) unanswered() string {
	for text, q := range c.questions {
		if _, all := c.agent.answers(q, c.chosen[text]); all == 0 {
			return text
		}
	}
	return ""
}

// unmarked is a prompt that does not show that it arrived; none if all do.
func (c *crowd) unmarked() string {
	for _, m := range c.telegram.Messages(chen) {
		if slices.Contains(c.prompted, m.Text) && m.Reaction != "👍" {
			return m.Text
		}
	}
	return ""
}

// count holds that everything arrived once.
func (c *crowd) count() {
	for text, q := range c.questions {
		if right, all := c.agent.answers(q, c.chosen[text]); right != 1 || all != 1 {
			c.Errorf("%s: the agent got %q %d times, and %d answers in all", text, c.chosen[text], right, all)
		}
	}
	for _, name := range c.deployed {
		if n := c.agent.deploys(name); n != 1 {
			c.Errorf("%s was run %d times", name, n)
		}
	}
	for _, text := range c.prompted {
		if n := c.agent.prompts(text); n > 1 {
			c.Errorf("the agent got %q %d times\n%s", text, n, c.telegram.Transcript(chen))
		}
	}
}

// checkViolations holds that Telegram had nothing to complain about but what a fault causes, which comes at most once with each: a tap that got no
// answer, a call in a time in which hermes had been told to be silent, which it does not know any more, and a poll beside that of a hermes that was lost.
func (c *crowd) checkViolations() {
	left := map[string]int{"got no answer": c.faults, "Too Many Requests": c.faults, "terminated by other getUpdates": c.rivals}
	for _, v := range c.telegram.Violations() {
		if !forgiven(left, v) {
			c.Error("against Telegram's rules:", v)
		}
	}
}

// forgiven reports whether a complaint is of a kind of which some are left, and takes one of them.
func forgiven(left map[string]int, complaint string) bool {
	for part, n := range left {
		if n > 0 && strings.Contains(complaint, part) {
			left[part]--
			return true
		}
	}
	return false
}

// lie is a message that tells something else than what was; none if all tell the truth.
func (c *crowd) lie() string {
	for _, id := range []int64{ada, bo, chen} {
		for _, m := range c.telegram.Messages(id) {
			text := settled(m.Text)
			asks := strings.Contains(text, "Unrest ") || strings.Contains(text, "deploy-")
			if m.FromBot && !m.Deleted && (!over(m) || strings.HasPrefix(text, "⚙️") || asks && id != chen && !c.truths[text] && !c.unclear[text] && !passing(text)) {
				return text
			}
		}
	}
	return ""
}

// countUnclear holds that no more permissions end unclear than there were faults.
func (c *crowd) countUnclear() {
	ends := map[string]bool{}
	for _, id := range []int64{ada, bo} {
		for _, m := range c.telegram.Messages(id) {
			if text := settled(m.Text); c.unclear[text] && !m.Deleted {
				ends[text] = true
			}
		}
	}
	if len(ends) > c.faults {
		c.Errorf("%d permissions ended unclear, after %d faults", len(ends), c.faults)
	}
}

// passing reports whether a message tells of a moment, as a reminder does.
func passing(text string) bool {
	return strings.HasPrefix(text, "⏰") || strings.HasPrefix(text, "📡")
}

// report tells how much was done.
func (c *crowd) report(b *testing.B) {
	b.ReportMetric(float64(len(c.questions)), "questions")
	b.ReportMetric(float64(len(c.deployed)), "approvals")
	b.ReportMetric(float64(len(c.prompted)), "prompts")
	b.ReportMetric(float64(c.again), "taps-again")
}
