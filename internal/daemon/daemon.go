package daemon

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
	"hermes/internal/broadcast"
	"hermes/internal/certificate"
	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/inbound"
	"hermes/internal/intake"
	"hermes/internal/letters"
	"hermes/internal/loop"
	"hermes/internal/pace"
	"hermes/internal/policy"
	"hermes/internal/secret"
	"hermes/internal/session"
	"hermes/internal/sessions"
	"hermes/internal/standby"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/pending"
	"hermes/telegram"
)

// Outside is what the daemon reaches the world through. Tests put stand-ins here;
// the zero value is the world.
type Outside struct {
	Telegram http.RoundTripper // nil: the network, through the configured proxy
	Opencode http.RoundTripper // nil: the network
	Voice    http.RoundTripper // nil: the network
	Listener net.Listener      // nil: as HERMES_LISTEN says

	IsRunning func(pid int) bool // whether an OpenCode runs on this machine; nil: the system is asked

	Configuration Configuration

	Store pending.Options
	Open  func(pending.Options) (*pending.Store, error) // opens the store; nil: the file of HERMES_DB
	Turn  standby.Turn                                  // the lease on a store that others share; nil: the store is the daemon's alone
	Links *pending.Store                                // where links are kept; nil: in the daemon's own
}

// Daemon is the assembled program: it is built, run once, and done. Its exported fields are for those
// who look into a running one, as the rig of the tests does; they are set by New and not changed.
type Daemon struct {
	config  config.Config
	log     *slog.Logger
	out     Outside
	started time.Time

	Store    *pending.Store
	Bot      *telegram.Bot
	Gateway  *opencode.Gateway
	loop     *loop.Loop // of Bridge, sessions and intake
	Bridge   *bridge.Bridge
	Rules    *Rulebook
	HTTP     *http.Server
	asks     *ask.Service
	sessions *sessions.Controller // nil: HERMES_REMOTE is off
	intake   *intake.Intake       // of what people do: gives it to Bridge and sessions

	links       *linkTokens
	token       *knownToken // of Bot
	heartbeat   heartbeat
	menu        commandMenu
	connections *connections      // to HTTP
	certificate *certificate.Pair // with which HTTP speaks TLS; nil: it does not
	metrics     *metrics
	counted     countedStore // Store, for those who journal
	backups     *backups
	idle        func()     // closes connections to OpenCode that nothing uses; nil: there are none
	copying     sync.Mutex // held while a copy of Store is sent

	refusing     sync.Mutex  // of refusedCodes
	refusedCodes pace.People // who gave codes that make no link, as if they were one
}

// grace is how long steps of the loop that are under way have at the end.
const grace = 5 * time.Second

// stopWithin is how long a stop may take until what is under way is cut off.
const stopWithin = 6 * time.Second

// keepSettled is how long settled questions can still be found, for late taps, and how
// long strangers and groups that hermes has nothing to do with are remembered.
const keepSettled = 7 * 24 * time.Hour

// keepSaid is how long a reply to a session's message is still for that session.
const keepSaid = 30 * 24 * time.Hour

// New opens the store and connects the parts. Nothing runs yet.
func New(c config.Config, token secret.Text, log *slog.Logger, out Outside) (*Daemon, error) {
	rules, err := c.Ruleset()
	if err != nil {
		return nil, err
	}
	pair, err := LoadCertificate(c)
	if err != nil {
		return nil, err
	}
	m := newMetrics()
	out.Store.Write = m.timeWrites(out.Store.Write)
	store, err := openStore(c, out)
	if err != nil {
		return nil, err
	}
	if aside := store.AtOpen().Recovered; aside != "" {
		log.Error("the database was damaged; hermes begins a new one and does not know what was open", "damaged", aside)
	}
	for _, s := range store.AtOpen().Skipped { // what a record holds is not logged: it may be anything
		log.Error("a record of the database cannot be read; hermes leaves it as it is and works without it", "bucket", s.Bucket, "key", fmt.Sprintf("%.80q", s.Key), "reason", letters.OneLine(s.Reason))
	}
	d := &Daemon{config: c, log: log, started: time.Now(), Store: store, out: out, metrics: m, certificate: pair, counted: countedStore{store, m, broadcast.New(), log}, menu: newCommandMenu(log), refusedCodes: pace.People{Burst: refusedBurst, Every: refusedEvery}}
	d.Rules = &Rulebook{
		config: out.Configuration, began: c, store: d.counted, log: log, menu: d.menu,
		apply: func(ctx context.Context, rules *policy.Ruleset) error { return d.Bridge.SetRules(ctx, rules) },
	}
	d.Rules.rules.Store(rules)
	d.connections = &connections{most: maxConnections(maxDescriptors()), log: log}
	if d.links, err = newLinkTokens(cmp.Or(out.Links, store).Links(), log); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if d.Bot, err = d.newBot(); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	d.loop = loop.New(grace)
	d.Bridge = d.newBridge()
	if c.Remote {
		d.sessions = d.newSessions()
	}
	d.intake = d.newIntake()
	d.asks = ask.New(d.Bridge.Event)
	d.Gateway = d.newGateway()
	d.heartbeat.store, d.heartbeat.log, d.heartbeat.offline = store, log, d.Bridge.Offline
	d.backups = newBackups(c, store, log)
	m.registry.MustRegister(readings{d})
	m.addTurn(out.Turn)
	d.HTTP = d.newServer(token)
	return d, nil
}

// openStore opens the store, for whoever may use it now.
func openStore(c config.Config, out Outside) (*pending.Store, error) {
	if out.Open != nil {
		return out.Open(out.Store)
	}
	store, err := pending.Open(c.DB, out.Store)
	if err != nil {
		return nil, fmt.Errorf("HERMES_DB: %w", err)
	}
	return store, nil
}

func (d *Daemon) newBot() (*telegram.Bot, error) {
	token := newKnownToken(d.config.TelegramToken, d.Store, d.log)
	d.token = token
	return telegram.New(telegram.Config{
		TokenWorked: token.hasWorked(),
		Token:       d.config.TelegramToken, APIURL: d.config.TelegramAPIURL,
		Proxy: d.config.TelegramProxy, Transport: d.out.Telegram, May: d.may(), Keeps: d.keeps(), Called: d.metrics.observeCall, Lang: d.config.Lang,
		Withhold: d.config.Show == config.ShowKinds,
		Webhook: telegram.Webhook{
			URL: d.config.TelegramWebhookURL, Secret: d.config.TelegramWebhookSecret,
		},
		Inbox: d.Store, Log: d.log,
		Handle: func(ctx context.Context, in inbound.Input) { d.intake.Handle(ctx, in) },
		Drives: d.mayDrive,
		Polled: func(at time.Time) {
			d.heartbeat.beat(at)
			token.noteWorks()
		},
		ChatLang: func(id chat.ID) string { return d.Bridge.Lang(id) },
	})
}

func (d *Daemon) newBridge() *bridge.Bridge {
	c := bridge.Config{
		Loop: d.loop, Store: d.counted, Chat: d.Bot, Agents: d.questionAgent, Log: d.log, Strange: d.metrics.strangers.Inc, Skipped: d.metrics.skipped.Inc, Foreign: d.metrics.foreign.Inc, HeldBack: d.metrics.heldBack.Inc,
		Owners: d.links, PublicURLs: d.config.PublicURLs(),
		Rules: d.Rules.InForce(), TTL: d.config.QuestionTTL, OnExpiry: d.config.OnExpiry,
		NotifyDelay: d.config.NotifyDelay, Context: d.config.Context, Undo: d.config.Undo, ResolveAttempts: d.config.ResolveAttempts,
		ResolveInterval: d.config.ResolveInterval,
		Sending:         func(id chat.ID) func() { return d.intake.SendingCard(id) },
		Skew:            d.Bot.Skew,
	}
	if d.config.Remote {
		c.Moved = func(from, to chat.ID) { d.sessions.Moved(from, to) }
	}
	if d.config.Topics {
		c.Forum = d.Bot
	}
	c.Damaged = d.Store.AtOpen().LacksPeople() || d.Store.AtOpen().Recovered != ""
	return bridge.New(c)
}

// newIntake gives an intake without sessions a nil interface, not an interface around nil.
func (d *Daemon) newIntake() *intake.Intake {
	if d.sessions == nil {
		return intake.New(d.loop, d.Bridge, nil)
	}
	return intake.New(d.loop, d.Bridge, d.sessions)
}

// begin is the first thing that the loop does.
func (d *Daemon) begin() error {
	err := d.Bridge.Start()
	if err == nil && d.sessions != nil {
		err = d.sessions.Start()
	}
	return err
}

// questionAgent gives a nil interface, not an interface around nil, when nothing reaches
// the origin.
func (d *Daemon) questionAgent(o session.Origin) (bridge.Agent, bool) {
	if o.Way == session.AskAPI {
		return d.asks.Asker(o), true
	}
	client, ok := d.Gateway.Agent(o)
	if !ok {
		return nil, false
	}
	return client, true
}

func (d *Daemon) newGateway() *opencode.Gateway {
	c := opencode.Config{
		Log: d.log, KnownDirectories: d.knownDirectories,
		Events: d.passOn, Link: link.Config{
			Remote: d.config.Remote, Seen: d.links.noteUse, Valid: d.links.isValid, Name: d.links.NameOf, Full: d.connections.refuseLink,
			Links: maxLinks(d.connections.most), Requests: max(32, d.connections.most/4),
		},
	}
	transport := d.opencodeTransport()
	c.Servers = clients.DirectServers(d.config, transport)
	c.Service = clients.Service(d.config, transport, d.out.IsRunning)
	return opencode.NewGateway(c)
}

// knownDirectories lists the directories of a server where hermes knows of an open question.
func (d *Daemon) knownDirectories(server session.Origin) []string {
	threads, err := d.Bridge.Open(context.Background())
	if err != nil {
		return nil
	}
	var list []string
	for _, t := range threads {
		for _, o := range t.Origins {
			if o.SameProcess(server) && !t.Settled() {
				list = append(list, o.Directory)
			}
		}
	}
	return list
}

// Run serves until ctx ends or a part fails, then stops in order: nothing new
// comes in, what is under way ends, the store is closed last. It calls ready when
// everything runs, and stopping when the stop begins. When the store does not take a change, or the lease of Outside.Turn is lost, it
// stops at once: nothing more is sent or stored. The error names the store and the cause; where several hermes share the store it is a [standby.ErrLost].
func (d *Daemon) Run(ctx context.Context, ready, stopping func()) error {
	listener, err := d.listen()
	if err != nil {
		return errors.Join(err, d.Store.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failures := make(chan error, 5)
	var outside, inside sync.WaitGroup // what brings things in; what takes them in
	part := func(group *sync.WaitGroup, f func() error) {
		group.Go(func() { failures <- f() })
	}
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	part(&inside, func() error { return d.loop.Run(work, d.begin, d.Bridge.End) })
	part(&outside, func() error { return d.Bot.Run(ctx) })
	part(&outside, func() error { d.Gateway.Run(ctx); return nil })
	part(&outside, func() error { return d.serve(listener) })
	outside.Go(func() { regularly(ctx, 6*time.Hour, func() { d.prune(ctx) }) })
	outside.Go(func() { d.backups.run(ctx) })
	outside.Go(func() { watchCertificate(ctx, d.certificate, d.log) })
	outside.Go(func() { d.menu.keep(ctx, d.Bot, d.menuCommands) })
	ready()

	select {
	case <-ctx.Done():
	case err = <-failures:
	case <-d.lost():
	case <-d.Store.Failed():
	}
	if d.mayAct() == nil {
		stopping()
		if d.Bot.Health() == nil {
			d.heartbeat.end(time.Now())
		}
	}
	stop()
	closed := d.close(stopWork, &outside, &inside)
	if why := d.mayAct(); why != nil { // a part that failed has failed for that
		return errors.Join(why, closed)
	}
	return errors.Join(err, closed)
}

func (d *Daemon) close(stopWork func(), outside, inside *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	if d.mayAct() != nil {
		cancel() // nothing that is under way can end well
	}
	d.Gateway.Close()
	d.asks.Close()
	d.counted.grown.Close()
	_ = d.HTTP.Shutdown(ctx) // cut off below if it takes too long
	_ = d.HTTP.Close()
	outside.Wait()
	stopWork()
	_ = d.Bot.Close(ctx) // what was not sent is owed, and sent at the next start
	inside.Wait()
	d.links.close()
	if d.idle != nil {
		d.idle()
	}
	return d.Store.Close()
}

// prune deletes what is older than is kept.
func (d *Daemon) prune(ctx context.Context) {
	_, err := d.Store.Prune(time.Now().Add(-keepSettled))
	if err == nil {
		_, err = d.Store.PruneSaid(time.Now().Add(-keepSaid))
	}
	if err == nil {
		err = d.Bridge.Prune(ctx, time.Now().Add(-keepSettled))
	}
	if keep := d.config.JournalKeep; err == nil && keep > 0 {
		_, err = d.Store.PruneJournal(time.Now().Add(-keep))
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, loop.ErrEnded) {
		d.log.Error("cannot prune the store", "err", err)
	}
}

// regularly does something now and every so often, until ctx ends.
func regularly(ctx context.Context, every time.Duration, do func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		do()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
