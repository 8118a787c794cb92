package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"hermes/bridge"
	"hermes/internal/ask"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/sessions"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/pending"
	"hermes/telegram"
)

// outside is what the daemon reaches the world through. Tests put stand-ins here;
// the zero value is the world.
type outside struct {
	telegram http.RoundTripper // nil: the network, through the configured proxy
	opencode http.RoundTripper // nil: the network
	voice    http.RoundTripper // nil: the network
	listener net.Listener      // nil: as HERMES_LISTEN says
	store    pending.Options
	links    *pending.Store // where links are kept; nil: in the daemon's own
}

// daemon is the assembled program: it is built, run once, and done.
type daemon struct {
	config  config
	log     *slog.Logger
	store   *pending.Store
	bot     *telegram.Bot
	token   *knownToken // of bot
	gateway *opencode.Gateway
	bridge  *bridge.Bridge
	asks    *ask.Desk
	links   *linkTokens
	remote  *sessions.Desk // nil: HERMES_REMOTE is off
	http    *http.Server

	connections *connections // to http

	out     outside
	pulse   pulse
	metrics *metrics
	entries *bell // rung when the journal has grown
	offered menu

	reloading sync.Mutex
	rules     *policy.Book // in force; guarded by reloading
}

// stopWithin is how long a stop may take until what is under way is cut off.
const stopWithin = 6 * time.Second

// keepSettled is how long settled questions can still be found, for late taps, and how
// long strangers and groups that hermes has nothing to do with are remembered.
const keepSettled = 7 * 24 * time.Hour

// keepSaid is how long a reply to a session's message is still for that session.
const keepSaid = 30 * 24 * time.Hour

// newDaemon opens the store and connects the parts. Nothing runs yet.
func newDaemon(c config, token secret, log *slog.Logger, out outside) (*daemon, error) {
	rules, err := c.book()
	if err != nil {
		return nil, err
	}
	m := newMetrics()
	out.store.Write = m.write(out.store.Write)
	store, err := pending.Open(c.DB, out.store)
	if err != nil {
		return nil, fmt.Errorf("HERMES_DB: %w", err)
	}
	if aside := store.Recovered(); aside != "" {
		log.Error("the database was damaged; hermes begins a new one and does not know what was open", "damaged", aside)
	}
	if mended := store.Mended(); mended != "" {
		log.Error("the database was damaged and is mended", "damage", mended)
	}
	logRecords(log, store)
	d := &daemon{config: c, rules: rules, log: log, store: store, out: out, metrics: m, entries: newBell(), offered: newMenu()}
	d.connections = newConnections(maxConnections(descriptors()), log)
	if d.links, err = newLinkTokens(cmp.Or(out.links, store), log); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if d.bot, err = d.newBot(); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if c.Remote {
		if d.remote, err = d.newRemote(); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	d.bridge = d.newBridge()
	d.asks = ask.New(d.bridge.Event)
	d.gateway = d.newGateway()
	d.pulse = pulse{store: store, log: log, offline: d.bridge.Offline}
	m.watch(d)
	d.http = d.newServer(token)
	return d, nil
}

func (d *daemon) newBot() (*telegram.Bot, error) {
	token := newKnownToken(d.config.TelegramToken, d.store, d.log)
	d.token = token
	return telegram.New(telegram.Config{
		TokenWorked: token.worked(),
		Token:       d.config.TelegramToken, APIURL: d.config.TelegramAPIURL,
		Proxy: d.config.TelegramProxy, Transport: d.out.telegram, Called: d.metrics.called, Lang: d.config.Lang,
		Webhook: telegram.Webhook{
			URL: d.config.TelegramWebhookURL, Secret: d.config.TelegramWebhookSecret,
		},
		Inbox: d.store, Log: d.log,
		Handle: func(ctx context.Context, in question.Input) { d.bridge.Handle(ctx, in) },
		Drives: d.drivable,
		Polled: func(at time.Time) {
			d.pulse.beat(at)
			token.works()
		},
		ChatLang: func(id question.ChatID) string { return d.bridge.Lang(id) },
		LastMessage: func(id question.ChatID) question.PostedID {
			last, err := d.store.LastMessage(id)
			if err != nil {
				d.log.Error("cannot read the store", "err", err)
			}
			return last
		},
		Known: d.knownMessage,
		Posted: func(chat question.ChatID, id question.PostedID) {
			if d.bridge.Home(chat) { // of others nothing is kept
				d.store.Posted(chat, id)
			}
		},
	})
}

// knownMessage reports whether a message is stored.
func (d *daemon) knownMessage(chat question.ChatID, message question.PostedID) (bool, error) {
	known, err := d.store.Known(chat, message)
	if err != nil {
		d.log.Error("cannot read the store", "err", err)
	}
	return known, err
}

func (d *daemon) newBridge() *bridge.Bridge {
	c := bridge.Config{
		Store: counted{d.store, d.metrics, d.entries}, Chat: d.bot, Agents: d.agent, Log: d.log, Strange: d.metrics.strangers.Inc, Skipped: d.metrics.skipped.Inc, Foreign: d.metrics.foreign.Inc, HeldBack: d.metrics.heldBack.Inc,
		Approvals: d.config.APIApprovals,
		Rules:     d.rules, TTL: d.config.QuestionTTL, OnExpiry: d.config.OnExpiry,
		NotifyDelay: d.config.NotifyDelay, ResolveAttempts: d.config.ResolveAttempts,
		ResolveInterval: d.config.ResolveInterval,
	}
	if d.config.Topics {
		c.Forum = d.bot
	}
	if aside, err := d.store.PeopleSetAside(); aside || err != nil || d.store.Recovered() != "" {
		c.Damaged = true
	}
	if d.remote != nil {
		c.Else, c.Doubt, c.Moved = d.remote.Take, d.remote.Doubt, d.remote.Moved
	}
	return bridge.New(c)
}

// agent gives a nil interface, not an interface around nil, when nothing reaches
// the origin.
func (d *daemon) agent(o question.Origin) (bridge.Agent, bool) {
	if o.Way == question.AskAPI {
		return d.asks.Asker(o), true
	}
	client, ok := d.gateway.Agent(o)
	if !ok {
		return nil, false
	}
	return client, true
}

func (d *daemon) newGateway() *opencode.Gateway {
	c := opencode.Config{
		Log: d.log, Known: d.known,
		Events: d.heard, Link: link.Config{Remote: d.config.Remote, Seen: d.links.seen, Valid: d.links.counts, Requests: max(32, maxConnections(descriptors())/4)},
	}
	transport := d.out.opencode
	if transport == nil {
		transport = &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute} // no proxy: they are near
	}
	c.Servers = servers(d.config, transport)
	return opencode.NewGateway(c)
}

// servers are the servers that are reached directly.
func servers(c config, transport http.RoundTripper) []opencode.Server {
	var list []opencode.Server
	for _, url := range c.OpenCodeURLs {
		list = append(list, opencode.Server{
			URL: url, Username: c.OpenCodeUsername, Password: c.OpenCodePassword, Transport: transport,
		})
	}
	return list
}

// known lists the directories of a direct server where hermes knows of an open
// question.
func (d *daemon) known(server string) []string {
	threads, err := d.bridge.Open(context.Background())
	if err != nil {
		return nil
	}
	var list []string
	for _, t := range threads {
		for _, o := range t.Origins {
			if o.Way == question.Direct && o.Process == server && !t.Settled() {
				list = append(list, o.Directory)
			}
		}
	}
	return list
}

// run serves until ctx ends or a part fails, then stops in order: nothing new
// comes in, what is under way ends, the store is closed last. It calls ready when
// everything runs, and stopping when the stop begins.
func (d *daemon) run(ctx context.Context, ready, stopping func()) error {
	listener, err := d.listen()
	if err != nil {
		return errors.Join(err, d.store.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failures := make(chan error, 4)
	var outside, inside sync.WaitGroup // what brings things in; what takes them in
	part := func(group *sync.WaitGroup, f func() error) {
		group.Go(func() { failures <- f() })
	}
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	part(&inside, func() error { return d.bridge.Run(work) })
	if d.remote != nil {
		inside.Go(func() { d.remote.Run(work) })
	}
	part(&outside, func() error { return d.bot.Run(ctx) })
	part(&outside, func() error { d.gateway.Run(ctx); return nil })
	part(&outside, func() error { return d.serve(listener) })
	outside.Go(func() { d.prune(ctx) })
	outside.Go(func() { d.offer(ctx) })
	ready()

	select {
	case <-ctx.Done():
	case err = <-failures:
	}
	stopping()
	if d.bot.Health() == nil {
		d.pulse.end(time.Now())
	}
	stop()
	return errors.Join(err, d.close(stopWork, &outside, &inside))
}

func (d *daemon) close(stopWork func(), outside, inside *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	d.gateway.Close()
	d.asks.Close()
	d.entries.close()
	_ = d.http.Shutdown(ctx) // cut off below if it takes too long
	_ = d.http.Close()
	outside.Wait()
	stopWork()
	_ = d.bot.Close(ctx) // what was not sent is owed, and sent at the next start
	inside.Wait()
	return d.store.Close()
}

func (d *daemon) prune(ctx context.Context) {
	tick := time.NewTicker(6 * time.Hour)
	defer tick.Stop()
	for {
		_, err := d.store.Prune(time.Now().Add(-keepSettled))
		if err == nil {
			_, err = d.store.PruneSaid(time.Now().Add(-keepSaid))
		}
		if err == nil {
			err = d.bridge.Prune(ctx, time.Now().Add(-keepSettled))
		}
		if keep := d.config.JournalKeep; err == nil && keep > 0 {
			_, err = d.store.PruneJournal(time.Now().Add(-keep))
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, bridge.ErrStopped) {
			d.log.Error("cannot prune the store", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
