//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
	"hermes/pending"
)

// What BenchmarkHub plays.
const (
	hubLinks     = 1000
	hubSessions  = 3 // of each link
	hubQuestions = 50
	hubMinute    = time.Minute
	hubIdle      = 20 * time.Second
	firstOwner   = 100_000 // Telegram's id of the first link's owner
)

// BenchmarkHub is one hermes for a thousand machines: the built binary, with a thousand links over loopback sockets, each with its
// token and its owner. It measures what they cost while nothing happens and while fifty questions a minute are asked and
// answered, and how long hermes takes to have them all again after a restart.
func BenchmarkHub(b *testing.B) {
	for range b.N {
		h := newHub(b, buildHermes(b))
		h.start()
		time.Sleep(3 * time.Second) // start-up is over
		resident, heap := h.memory(b, "VmRSS:"), h.heap()
		h.connect()
		b.ReportMetric(h.awaitWhole().Seconds(), "s-until-all-linked")
		time.Sleep(3 * time.Second)
		before := h.ticks(b)
		time.Sleep(hubIdle)
		b.ReportMetric((h.ticks(b)-before)/hubIdle.Seconds(), "%-of-a-core-idle") // a tick is 10 ms
		b.ReportMetric((h.memory(b, "VmRSS:")-resident)*1e6/1024/hubLinks, "KiB-resident-a-link")
		b.ReportMetric((h.heap()-heap)/1024/hubLinks, "KiB-heap-a-link")
		h.busy()
		h.stop()
		h.start()
		b.ReportMetric(h.awaitWhole().Seconds(), "s-whole-after-restart")
		h.stop()
		b.ReportMetric(0, "ns/op")
	}
}

// hub is the built hermes with the stand-ins around it.
type hub struct {
	*testing.B
	process
	binary   string
	env      []string
	address  string
	telegram *telegram.Server
	opencode *opencode.Simulator // of all links: a directory each
	client   *http.Client
	links    []*benchLink
	began    time.Time // the last start
	ctx      context.Context

	mu   sync.Mutex
	sent map[int64]chan time.Time // sendMessage into this chat
}

func newHub(b *testing.B, binary string) *hub {
	h := &hub{
		B: b, binary: binary, telegram: telegram.New(telegram.Options{Token: rig.TestToken}), opencode: opencode.New(opencode.Options{}),
		client: newBenchClient(), sent: map[int64]chan time.Time{},
	}
	var stop context.CancelFunc
	h.ctx, stop = context.WithCancel(b.Context())
	h.telegram.SetFault(func(c telegram.Call) telegram.Fault {
		if c.Method == "sendMessage" {
			h.noteSent(c.Chat)
		}
		return telegram.Fault{}
	})
	server := httptest.NewServer(h.telegram)
	b.Cleanup(func() { stop(); server.CloseClientConnections(); server.Close() })
	h.address = freeAddress(b)
	db := filepath.Join(b.TempDir(), "hermes.db")
	h.env = []string{
		"HOME=" + b.TempDir(), "HERMES_TELEGRAM_TOKEN=" + rig.TestToken, "HERMES_TELEGRAM_API_URL=" + server.URL,
		"HERMES_TELEGRAM_USERS=" + h.addOwners(server.URL), "HERMES_LISTEN=" + h.address, "HERMES_DB=" + db, "HERMES_LOG_LEVEL=warn",
		"HERMES_HOOK_TOKEN=" + rig.HookKey, "HERMES_NOTIFY_DELAY=0", "HERMES_REMOTE=true",
	}
	h.addLinks(db)
	return h
}

// addOwners makes the people, who started the bot some time ago, and returns their ids as a setting has them.
func (h *hub) addOwners(url string) string {
	var ids []string
	for n := range int64(hubLinks) {
		id := firstOwner + n
		h.telegram.AddUser(telegram.User{ID: id, FirstName: fmt.Sprint("Owner ", n), LanguageCode: "en"})
		if _, err := h.telegram.Say(id, id, "/start"); err != nil {
			h.Fatal(err)
		}
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	forgetUpdates(h.B, url)
	return strings.Join(ids, ",")
}

// addLinks stores the links with their owners.
func (h *hub) addLinks(db string) {
	store, err := pending.Open(db, pending.Options{})
	if err != nil {
		h.Fatal(err)
	}
	for n := range hubLinks {
		name := fmt.Sprint("machine-", n)
		token, _, err := api.AddLink(store.Links(), api.NewLink{Name: name, Owner: chat.UserID(firstOwner + n)}, question.Actor{Kind: question.Terminal})
		if err != nil {
			h.Fatal(err)
		}
		l := &benchLink{hub: h, name: name, token: token, dir: "/src/" + name, owner: firstOwner + int64(n)}
		for s := range hubSessions {
			l.sessions = append(l.sessions, h.opencode.NewSession(l.dir, fmt.Sprint("session ", s)))
		}
		h.links = append(h.links, l)
	}
	var c storage.Change
	for _, l := range h.links {
		c.Chats = append(c.Chats, chat.Chat{ID: chat.ID(l.owner), Lang: "en", Seen: time.Now()})
	}
	if err := errors.Join(store.Commit(c), store.Close()); err != nil {
		h.Fatal(err)
	}
}

func (h *hub) noteSent(chat int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.sent[chat]; c != nil {
		c <- time.Now()
		delete(h.sent, chat)
	}
}

// start starts hermes, at the same address each time.
func (h *hub) start() {
	h.cmd = exec.Command(h.binary, "serve")
	h.cmd.Env, h.cmd.Stderr = h.env, os.Stderr
	h.began = time.Now()
	if err := h.cmd.Start(); err != nil {
		h.Fatal(err)
	}
	for h.get("/healthz") == "" {
		if time.Since(h.began) > time.Minute {
			h.Fatal("hermes does not start")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (h *hub) stop() {
	for _, l := range h.links {
		l.listed.Store(false)
	}
	began := time.Now()
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		h.Fatal(err)
	}
	if err := h.cmd.Wait(); err != nil {
		h.Error("the daemon's end:", err)
	}
	h.ReportMetric(time.Since(began).Seconds(), "s-to-stop")
}

// connect starts all links.
func (h *hub) connect() {
	h.began = time.Now()
	for _, l := range h.links {
		go l.run()
	}
	go h.forwardEvents()
}

// awaitWhole waits until hermes has all links, and has listed what waits at each, and returns how long that took since the start.
func (h *hub) awaitWhole() time.Duration {
	for {
		n := 0
		for _, l := range h.links {
			if l.listed.Load() {
				n++
			}
		}
		if n == hubLinks && h.metric("hermes_links") == hubLinks {
			return time.Since(h.began)
		}
		if time.Since(h.began) > 3*time.Minute {
			h.Fatalf("%d links are listed, hermes has %v", n, h.metric("hermes_links"))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// busy asks the questions of a minute, each of another link, and answers them.
func (h *hub) busy() {
	before := h.ticks(h.B)
	began := time.Now()
	var all sync.WaitGroup
	shown := make([]time.Duration, hubQuestions)
	answered := make([]time.Duration, hubQuestions)
	for n := range hubQuestions {
		all.Go(func() { shown[n], answered[n] = h.links[n*hubLinks/hubQuestions].question() })
		time.Sleep(time.Until(began.Add(time.Duration(n+1) * hubMinute / hubQuestions)))
	}
	all.Wait()
	h.ReportMetric((h.ticks(h.B)-before)/time.Since(began).Seconds(), "%-of-a-core-busy")
	slices.Sort(shown)
	slices.Sort(answered)
	h.ReportMetric(shown[hubQuestions/2].Seconds()*1000, "ms-asked-to-send-median")
	h.ReportMetric(shown[hubQuestions-1].Seconds()*1000, "ms-asked-to-send-worst")
	h.ReportMetric(answered[hubQuestions/2].Seconds()*1000, "ms-tap-to-answer-median")
	h.ReportMetric(answered[hubQuestions-1].Seconds()*1000, "ms-tap-to-answer-worst")
}

// question asks and answers by a tap, and returns how long each half took.
func (l *benchLink) question() (shown, answered time.Duration) {
	h := l.hub
	sent := make(chan time.Time, 1)
	h.mu.Lock()
	h.sent[l.owner] = sent
	h.mu.Unlock()
	began := time.Now()
	_, call := h.opencode.Ask(l.dir, l.sessions[0], rig.DatabaseQuestion())
	shown = (<-sent).Sub(began)
	message, err := h.telegram.AwaitText(h.ctx, l.owner, "❓ Database")
	if err != nil {
		h.Error(err)
		return
	}
	began = time.Now()
	if _, err := h.telegram.Tap(l.owner, l.owner, message.ID, "1."); err != nil {
		h.Error(err)
		return
	}
	for {
		if _, ok := h.opencode.Received(call); ok {
			return shown, time.Since(began)
		}
		if time.Since(began) > time.Minute {
			h.Error("the agent got no answer")
			return
		}
		time.Sleep(time.Millisecond)
	}
}
