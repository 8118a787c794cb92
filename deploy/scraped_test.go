//go:build e2e

package deploy_test

import (
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"hermes/internal/database"
	"hermes/internal/prometheus"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// scrapeEvery is how often Prometheus looks.
const scrapeEvery = 30 * time.Second

// scraped is a running hermes, and what Prometheus has of it: the values of each series, one a round, as promtool takes them.
type scraped struct {
	*rig.Rig
	disk *disk

	began    time.Time
	rounds   int // so far
	broken   int // the round at which something broke
	series   map[string][]string
	replaced map[string]float64 // series that cannot be broken here, with the value that they have from now on
	down     bool               // hermes does not run
	lease    *lease             // nil: the database is the file of this hermes
	standby  *database.Standing // what hermes tells instead, as it does not act any more
	other    *database.Standing // another hermes with the same database; nil: there is none, or it is gone
	each     func(*scraped)     // is called before every round; nil: nothing
	ends     []func()
}

// run scrapes for so long.
func (s *scraped) run(d time.Duration) {
	for range d / scrapeEvery {
		if s.each != nil {
			s.each(s)
		}
		s.Wait(time.Until(s.began.Add(time.Duration(s.rounds+1) * scrapeEvery)))
		s.scrape()
	}
}

// scrape notes what /metrics tells. Where nobody answers the series end, as in Prometheus.
func (s *scraped) scrape() {
	values := map[string]float64{"up": 0}
	switch {
	case s.standby != nil:
		values = standbySamples(*s.standby)
	case !s.down:
		values = s.Samples()
		values["up"] = 1
	}
	for name, value := range s.replaced {
		if _, there := values[name]; !there {
			s.T.Errorf("%s is to be replaced, and is not there", name)
		}
		values[name] = value
	}
	for name, value := range values {
		if strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "process_") {
			continue
		}
		if name == "hermes_tls_certificate_expiry_seconds" || name == "hermes_backup_last_seconds" {
			value -= float64(s.began.Unix()) // promtool's time begins at 0
		}
		s.add(labelled(name, "127.0.0.1:4097"), value)
	}
	s.scrapeOther()
	s.rounds++
	for name, list := range s.series {
		if len(list) < s.rounds {
			s.series[name] = append(list, "stale")
		}
	}
}

// scrapeOther notes what the other hermes tells, if there ever was one.
func (s *scraped) scrapeOther() {
	if s.lease == nil {
		return
	}
	values := map[string]float64{"up": 0}
	if s.other != nil {
		values = standbySamples(*s.other)
	}
	for name, value := range values {
		s.add(labelled(name, "127.0.0.2:4097"), value)
	}
}

// standbySamples are the metrics of a hermes that stands so.
func standbySamples(how database.Standing) map[string]float64 {
	registry := prometheus.NewRegistry()
	database.AddMetrics(registry, func() database.Standing { return how })
	w := httptest.NewRecorder()
	registry.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	values := map[string]float64{"up": 1}
	for line := range strings.Lines(w.Body.String()) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			values[name] = value
		}
	}
	return values
}

func (s *scraped) add(name string, value float64) {
	list := s.series[name]
	for len(list) < s.rounds {
		list = append(list, "_")
	}
	s.series[name] = append(list, strconv.FormatFloat(value, 'f', -1, 64))
}

// labelled adds the labels that Prometheus gives to what it scrapes.
func labelled(name, instance string) string {
	target := fmt.Sprintf(`instance=%q,job="hermes"`, instance)
	if bare, ok := strings.CutSuffix(name, "}"); ok {
		return bare + "," + target + "}"
	}
	return name + "{" + target + "}"
}

// value is that of a series now.
func (s *scraped) value(name string) float64 { return s.Samples()[name] }

// set gives a series a value in place of the scraped one, for what cannot be broken here: a disk, thousands of connections.
func (s *scraped) set(name string, value float64) { s.replaced[name] = value }

// telegramFails makes calls of this method fail from now on, or all.
func (s *scraped) telegramFails(method string, f telegram.Fault) {
	s.Telegram.SetFault(func(c telegram.Call) telegram.Fault {
		if method == "" || c.Method == method {
			return f
		}
		return telegram.Fault{}
	})
}

// asks has so many asks made, without waiting for a card.
func (s *scraped) asks(n int) {
	dir := s.Opencode.Directory()
	for i := range n {
		s.Opencode.Ask(dir, s.Opencode.NewSession(dir, fmt.Sprint("session ", i)), rig.DatabaseQuestion())
	}
}

// link links the stand-in for OpenCode by its plugin.
func (s *scraped) link(process string) {
	s.ends = append(s.ends, s.ConnectPluginTo(process, s.Opencode, s.Opencode.Directory()).Disconnect)
}

// mend ends all that is broken, so that hermes can end.
func (s *scraped) mend() {
	s.disk.mend()
	s.Telegram.SetFault(nil)
	s.Opencode.SetFault(nil)
	for _, end := range s.ends {
		end()
	}
	if s.down {
		s.Start()
	}
}
