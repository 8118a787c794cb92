//go:build e2e

package deploy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/database"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// breakage is one thing that breaks in a running hermes, and which alerts fire for it.
type breakage struct {
	name   string
	alter  func(*testing.T, *config.Config)
	breaks func(*scraped)
	lasts  time.Duration
	fires  []string // in their order; nothing else may fire
}

func breakages() []breakage {
	return []breakage{
		{"nothing breaks", nil, answersOften, time.Hour, nil},
		{"hermes ends", nil, func(s *scraped) { s.Halt(); s.down = true }, 5 * time.Minute, []string{"HermesDown"}},
		{"the loop hangs in a write", nil, func(s *scraped) { s.disk.hang(); s.asks(1) }, 5 * time.Minute, []string{"HermesStuck", "HermesTelegramSilent"}},
		{"Telegram is out of reach", nil, func(s *scraped) { s.telegramFails("", telegram.Fault{Kind: telegram.Unreachable}) }, 4 * time.Minute, []string{"HermesTelegramSilent"}},
		{"another program polls the bot", nil, func(s *scraped) {
			s.telegramFails("getUpdates", telegram.Fault{Kind: telegram.Refuse, Code: http.StatusConflict})
		}, 4 * time.Minute, []string{"HermesTelegramSilent"}},
		{"the chat has blocked the bot", nil, func(s *scraped) {
			s.telegramFails("sendMessage", telegram.Fault{Kind: telegram.Refuse, Code: http.StatusForbidden, Description: "Forbidden: bot was blocked by the user"})
			s.asks(1)
		}, 4 * time.Minute, []string{"HermesAskUnseen"}},
		{"OpenCode does not take the answer", nil, func(s *scraped) {
			s.Ask(rig.DatabaseQuestion())
			s.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
			s.Tap("2.")
		}, 8 * time.Minute, []string{"HermesAnswerUndelivered"}},
		{"the disk is full", nil, func(s *scraped) { s.disk.fill(); s.Say("/pending", 0) }, 4 * time.Minute, []string{"HermesDatabaseFails", "HermesTelegramSilent"}},
		{"the disk is nearly full", nil, func(s *scraped) { s.set("hermes_store_free_bytes", 150e6) }, 10 * time.Minute, []string{"HermesDiskNearlyFull"}},
		{"the disk has no room for a backup", nil, func(s *scraped) {
			s.set("hermes_store_free_bytes", 1.5e9)
			s.set("hermes_store_bytes", 1e9)
		}, 10 * time.Minute, []string{"HermesDiskNearlyFull"}},
		{"no copy was made", func(t *testing.T, c *config.Config) { c.BackupDir, c.BackupKeep = t.TempDir(), 7 }, func(s *scraped) {
			s.set("hermes_backup_last_seconds", s.value("hermes_backup_last_seconds")-27*3600)
		}, 30 * time.Minute, []string{"HermesBackupLate"}},
		{"records cannot be read", nil, func(s *scraped) {
			s.Halt()
			rig.CorruptRecords(s.T, s.Config, rig.UnreadableRecords()...)
			s.Start()
		}, 2 * time.Minute, []string{"HermesRecordsUnreadable"}},
		{"Telegram says to wait", nil, func(s *scraped) {
			s.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.Refuse, RetryAfter: 3000})
			s.asks(3)
		}, 20 * time.Minute, []string{"HermesAskUnseen", "HermesHeldByLimits"}},
		{"a machine asks too much", withoutServers, func(s *scraped) { s.asks(250) }, 12 * time.Minute, []string{"HermesAsksHeldBack"}},
		{"OpenCode is gone", nil, func(s *scraped) { s.Opencode.Stop() }, 70 * time.Minute, []string{"HermesNoOpenCode"}},
		{"a plugin is too new", nil, func(s *scraped) { s.each = refusedPlugin }, 12 * time.Minute, []string{"HermesPluginRefused"}},
		{"a link speaks of another one's ask", nil, speaksOfForeignAsk, 5 * time.Minute, []string{"HermesForeignEvents"}},
		{"there are nearly as many connections as there may be", nil, func(s *scraped) { s.set("hermes_http_connections", 0.95*s.value("hermes_http_connections_max")) }, 8 * time.Minute, []string{"HermesConnectionsNearlyAll"}},
		{"there are nearly as many links as there may be", nil, func(s *scraped) { s.set("hermes_links", 0.95*s.value("hermes_links_max")) }, 8 * time.Minute, []string{"HermesConnectionsNearlyAll"}},
		{"nobody renews the certificate", func(t *testing.T, c *config.Config) {
			cert, key := testenv.SelfSigned(t, time.Now().Add(7*24*time.Hour+20*time.Minute))
			c.TLSCert, c.TLSKey = testenv.WriteFile(t, "cert.pem", cert), testenv.WriteFile(t, "key.pem", key)
		}, func(*scraped) {}, 15 * time.Minute, []string{"HermesCertificateExpires"}},
	}
}

// breakagesOfTwo are of two hermes with one database; what breaks is the one that acts, unless it says otherwise. The lease is a stand-in; what the database does to it is pending/postgres' matter.
func breakagesOfTwo() []breakage {
	acts := func(s *database.Standing) { s.Acts = true }
	return []breakage{
		{"nothing breaks with two", nil, answersOften, time.Hour, nil},
		{"none reaches the database", nil, func(s *scraped) { s.Halt(); s.down = true; s.standby = &database.Standing{Epoch: 1, Age: time.Hour} }, 5 * time.Minute, []string{"HermesNobodyActs"}},
		{"both end", nil, func(s *scraped) { s.Halt(); s.down, s.other = true, nil }, 5 * time.Minute, []string{"HermesDown"}},
		{"they have two databases", nil, func(s *scraped) { acts(s.other) }, 5 * time.Minute, []string{"HermesTwoAct"}},
		{"the lease is renewed late", nil, func(s *scraped) { s.lease.set(func(l *database.Standing) { l.Age = 5 * time.Second }) }, 5 * time.Minute, []string{"HermesLeaseOld"}},
		{"the database is slow", nil, func(s *scraped) { s.lease.set(func(l *database.Standing) { l.Delay = 400 * time.Millisecond }) }, 15 * time.Minute, []string{"HermesDatabaseSlow"}},
		{"the standby ends", nil, func(s *scraped) { s.other = nil }, 15 * time.Minute, []string{"HermesStandbyMissing"}},
		{"the one that acts ends", nil, func(s *scraped) { s.Halt(); s.down = true; acts(s.other) }, 15 * time.Minute, []string{"HermesStandbyMissing"}},
		{"one takes over from the other again and again", nil, func(s *scraped) { s.lease.set(func(l *database.Standing) { l.Epoch += 5 }) }, 55 * time.Minute, []string{"HermesTakeovers"}},
	}
}

func withoutServers(_ *testing.T, c *config.Config) { c.OpenCodeURLs, c.NotifyDelay = nil, 0 }

// quietFor is how long all is well before something breaks.
const quietFor = 10 * time.Minute

// TestAlerts breaks one thing after the other in a running hermes and lets Prometheus' own tool look at what /metrics told meanwhile: just
// the alerts that are for it fire, and none before. So a metric that is renamed, or a label that is other, makes it red.
func TestAlerts(t *testing.T) {
	promtool := findPromtool(t)
	rules, err := filepath.Abs("prometheus/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	promtool(t, "check", "rules", rules)
	fired := map[string]bool{}
	for two, list := range map[bool][]breakage{false: breakages(), true: breakagesOfTwo()} {
		for _, b := range list {
			for _, name := range b.fires {
				fired[name] = true
			}
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				promtool(t, "test", "rules", playBreakage(t, b, two).unitTest(t, rules, b.fires))
			})
		}
	}
	for _, a := range alerts(t) {
		if !fired[a.Alert] {
			t.Errorf("nothing is broken here for which %s fires", a.Alert)
		}
	}
}

// findPromtool fails the test where Prometheus' tool is missing.
func findPromtool(t *testing.T) func(t *testing.T, args ...string) {
	t.Helper()
	program, err := exec.LookPath("promtool")
	if err != nil {
		t.Fatal("promtool is missing: the alerts are tested with it; .ci/run installs it on Debian (package prometheus)")
	}
	return func(t *testing.T, args ...string) {
		t.Helper()
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// playBreakage plays it between the stand-ins, in the time of a bubble, and keeps what Prometheus would have scraped.
func playBreakage(t *testing.T, b breakage, two bool) (s *scraped) {
	d, l := newDisk(), newLease()
	wrap := func(n daemon.Outside) daemon.Outside {
		n.Store.Write = d.write
		if two {
			n.Turn = l
		}
		return n
	}
	alter := func(c *config.Config) {
		if b.alter != nil {
			b.alter(t, c)
		}
	}
	rig.PlayWrapped(t, wrap, alter, func(r *rig.Rig) {
		s = &scraped{Rig: r, disk: d, began: time.Now(), series: map[string][]string{}, replaced: map[string]float64{}}
		if two {
			s.lease, s.other = l, &database.Standing{Epoch: 1, Age: time.Second, Delay: time.Millisecond}
		}
		if len(r.Config.OpenCodeURLs) == 0 {
			s.link("desk")
		}
		s.run(quietFor)
		s.broken = s.rounds
		b.breaks(s)
		s.run(b.lasts)
		s.mend()
	})
	return s
}

// answersOften asks and answers while nothing is broken, and goes on for the time of the scrapes.
func answersOften(s *scraped) {
	s.each = func(s *scraped) {
		if s.rounds%4 == 0 {
			s.Ask(rig.DatabaseQuestion())
			s.Tap("2.")
		}
	}
}

func refusedPlugin(s *scraped) {
	s.Request("POST", "/v1/link", `{"protocol":99,"instance":"i","process":"p","directory":"/d","host":"h","version":"1.18.33","complete":true}`)
}

func speaksOfForeignAsk(s *scraped) {
	request, _ := s.Ask(rig.DatabaseQuestion())
	thief := s.ConnectPlugin("thief", s.Opencode.Directory(), func(rig.LinkCall) (int, string) { return http.StatusNotFound, "{}" })
	s.ends = append(s.ends, thief.Disconnect)
	s.Wait(time.Second)
	thief.PostEvent("question.rejected", fmt.Sprintf(`{"requestID":%q,"sessionID":%q}`, request, s.OpenQuestion().Session))
}

// disk is what the database is written to.
type disk struct {
	state chan string // "", "full" or "hangs"; holds one
	freed chan struct{}
}

func newDisk() *disk {
	d := &disk{state: make(chan string, 1)}
	d.state <- ""
	return d
}

func (d *disk) set(state string) { <-d.state; d.state <- state }
func (d *disk) fill()            { d.set("full") }

func (d *disk) hang() {
	d.freed = make(chan struct{})
	d.set("hangs")
}

func (d *disk) write(write func() error) error {
	state := <-d.state
	d.state <- state
	switch state {
	case "full":
		return syscall.ENOSPC
	case "hangs":
		<-d.freed
	}
	return write()
}

func (d *disk) mend() {
	d.set("")
	if d.freed != nil {
		close(d.freed)
	}
}

// unitTest writes a file for promtool test rules: what was scraped, that nothing fired before the break, and what fires at the end.
func (s *scraped) unitTest(t *testing.T, rules string, fires []string) (file string) {
	t.Helper()
	type sample struct {
		Labels string  `json:"labels"`
		Value  float64 `json:"value"`
	}
	type check struct {
		Expr string   `json:"expr"`
		At   string   `json:"eval_time"`
		Want []sample `json:"exp_samples"`
	}
	type series struct {
		Series string `json:"series"`
		Values string `json:"values"`
	}
	var input []series
	for name, values := range s.series {
		input = append(input, series{name, strings.Join(values, " ")})
	}
	firing := []sample{}
	for _, name := range fires {
		firing = append(firing, sample{fmt.Sprintf("{alertname=%q}", name), 1})
	}
	at := func(round int) string { return (time.Duration(round) * scrapeEvery).String() }
	const byName = `group by (alertname) (%s)`
	raw, err := json.Marshal(map[string]any{
		"rule_files": []string{rules}, "evaluation_interval": scrapeEvery.String(),
		"tests": []any{map[string]any{
			"interval": scrapeEvery.String(), "input_series": input,
			"promql_expr_test": []check{
				{fmt.Sprintf(byName, `max_over_time(ALERTS{alertstate="firing"}[1h])`), at(s.broken - 1), []sample{}},
				{fmt.Sprintf(byName, `ALERTS{alertstate="firing"}`), at(s.rounds - 1), firing},
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return testenv.WriteFile(t, "test.yaml", string(raw))
}
