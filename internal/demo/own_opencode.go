package demo

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/config"
	"hermes/internal/page"
	"hermes/internal/question"
	"hermes/opencode/plugin"
	"hermes/pending"
)

// ownOpenCode is the person's own OpenCode: hermes takes it as it comes.
type ownOpenCode struct {
	ledger *snapshot
	hermes *restartableDaemon
	links  *pending.Store // the person's own, which has the tokens of their plugins
}

// withOwn takes from the person's configuration how OpenCode reaches hermes and
// hermes reaches OpenCode, and how long questions wait. Telegram stays simulated
// and the database temporary; of the person's own only the links are used, so that a
// plugin that is installed now is linked later, too.
func (t *instance) withOwn() error {
	mine, err := config.Load(config.Options{})
	if err != nil {
		return err
	}
	token, err := config.HookToken(mine)
	if err != nil {
		return err
	}
	links, err := pending.Open(mine.DB, pending.Options{})
	if err != nil {
		return fmt.Errorf("HERMES_DB: %w; if a hermes runs, stop it", err)
	}
	c := &t.hermes.config
	c.Listen, c.TLSCert, c.TLSKey, c.BehindProxy = mine.Listen, mine.TLSCert, mine.TLSKey, mine.BehindProxy
	c.OpenCodeURLs, c.OpenCodeUsername, c.OpenCodePassword = mine.OpenCodeURLs, mine.OpenCodeUsername, mine.OpenCodePassword
	c.OpenCodeService, c.TurnAfter, c.Context = mine.OpenCodeService, mine.TurnAfter, mine.Context
	c.QuestionTTL, c.OnExpiry, c.NotifyDelay, c.Undo, c.Lang = mine.QuestionTTL, mine.OnExpiry, mine.NotifyDelay, mine.Undo, mine.Lang
	t.hermes.token, t.hermes.opencode, t.hermes.links = token, &http.Transport{}, links
	t.title, t.agent = "Your own OpenCode", &ownOpenCode{t.ledger, t.hermes, links}
	return nil
}

// advice says what is missing until OpenCode is connected.
func (o *ownOpenCode) advice() []page.Line {
	c := o.hermes.currentConfig()
	n := o.hermes.currentRun()
	if n == nil {
		return nil
	}
	if links, direct := n.daemon.Gateway.Ways(); links+direct > 0 {
		return []page.Line{
			{Text: "Connected: {0} by the plugin, {1} directly.", Args: []string{strconv.Itoa(links), strconv.Itoa(direct)}},
			{Text: "Ask OpenCode for something that needs a decision, for example: Ask me which of two names I like better, with the question tool."},
		}
	}
	advice := []page.Line{{Text: "No OpenCode is connected yet. Hermes waits for the plugin at {0}.", Args: []string{c.OwnURL()}}}
	if c.OpenCodeService != "" {
		advice = append(advice, page.Line{Text: "It finds the service of OpenCode 2 when that runs: start opencode."})
	}
	if len(c.OpenCodeURLs) > 0 {
		return append(advice, page.Line{Text: "It also tries {0} (HERMES_OPENCODE_URLS).", Args: []string{strings.Join(c.OpenCodeURLs, ", ")}})
	}
	return append(advice, page.Line{Text: pluginAdvice(c.OwnURL())})
}

func pluginAdvice(url string) string {
	state, err := plugin.Status(plugin.Options{})
	switch {
	case err != nil || !state.Installed:
		return "The plugin is not installed. Run hermes plugin install (go run ./cmd/hermes plugin install) in another terminal, then restart OpenCode."
	case !slices.Contains(state.URLs, url):
		return "The plugin is installed, but it looks for Hermes at another address. Run hermes plugin install, then restart OpenCode."
	case !state.Current:
		return "The plugin that is installed belongs to another version of Hermes. Run hermes plugin install, then restart OpenCode."
	}
	return "The plugin is installed. Start OpenCode, or restart it if it ran before."
}

func (o *ownOpenCode) openAsks() []page.Ask { return threadAsks(o.ledger.threads()) }

func (o *ownOpenCode) close() { _ = o.links.Close() }

// threadAsks shows as asks what hermes heard of.
func threadAsks(threads []question.Thread) []page.Ask {
	list := []page.Ask{}
	for _, t := range threads {
		a := page.Ask{ID: string(t.Request.ID), Title: t.Place.Title, At: t.Asked, State: askWaiting, Items: []page.Item{}}
		if a.Title == "" {
			a.Title = t.Project
		}
		for _, i := range t.Request.Items {
			item := page.Item{Header: i.Header, Text: i.Text, Options: []string{}}
			for _, option := range i.Options {
				item.Options = append(item.Options, option.Label)
			}
			a.Items = append(a.Items, item)
		}
		if t.Outcome != nil {
			a.State, a.Received = outcomeState(*t.Outcome)
		}
		list = append(list, a)
	}
	return list
}

func outcomeState(o question.Outcome) (state, received string) {
	switch o.Kind {
	case question.OutcomeAnswered:
		return askReceived, inJSON(o.Answers)
	case question.OutcomeDismissed:
		return askDismissed, ""
	}
	return askGone, ""
}
