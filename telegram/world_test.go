package telegram_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
)

// Times in the golden files are UTC.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

const testToken = "12345678:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp-_1"

// memoryInbox is an inbox that lives through the Bots of one test, as the store does
// through restarts.
type memoryInbox struct {
	mu    sync.Mutex
	seen  map[chat.UpdateID]bool
	kept  []chat.Update
	aside map[chat.UpdateID]string
	fault func(op string) error
}

func newMemory() *memoryInbox {
	return &memoryInbox{seen: map[chat.UpdateID]bool{}, aside: map[chat.UpdateID]string{}}
}

func (m *memoryInbox) Fresh(updates []chat.Update) ([]chat.Update, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := func(u chat.Update) bool { return m.seen[u.ID] }
	return slices.DeleteFunc(slices.Clone(updates), seen), nil
}

// prune forgets what was handled, as the store does after two days.
func (m *memoryInbox) prune() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.seen)
}

func (m *memoryInbox) fails(op string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fault == nil {
		return nil
	}
	return m.fault(op)
}

func (m *memoryInbox) Put(updates []chat.Update) ([]chat.Update, error) {
	if err := m.fails("put"); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var fresh []chat.Update
	for _, u := range updates {
		if !m.seen[u.ID] {
			m.seen[u.ID] = true
			fresh = append(fresh, u)
		}
	}
	m.kept = append(m.kept, fresh...)
	return fresh, nil
}

func (m *memoryInbox) Inbox() ([]chat.Update, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(slices.Values(m.kept), func(a, b chat.Update) int { return cmp.Compare(a.ID, b.ID) }), nil
}

func (m *memoryInbox) SetAside(id chat.UpdateID, reason string) error {
	m.forget(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.aside[id] = reason
	return nil
}

func (m *memoryInbox) forget(id chat.UpdateID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[id] = true
	m.kept = slices.DeleteFunc(m.kept, func(u chat.Update) bool { return u.ID == id })
}

func (m *memoryInbox) waiting() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.kept)
}

// world is a bot, the simulated Telegram, and what came out of both.
type world struct {
	t      *testing.T
	tele   *telegramsim.Server
	inbox  *memoryInbox
	bot    *telegram.Bot
	log    *bytes.Buffer
	config telegram.Config

	mu     sync.Mutex
	inputs []inbound.Input
	polls  int
	cancel context.CancelFunc
	ended  chan error
}

// newWorld has Ada (7) and a group (-5) with her and Bob (8). It must be made
// inside a synctest bubble.
func newWorld(t *testing.T, change ...func(*telegram.Config)) *world {
	tele := telegramsim.New(telegramsim.Options{Token: testToken, CountUnits: true, Flood: telegramsim.Flood{Burst: 3, GroupPerMinute: 20, Edits: 20, Strict: true}})
	tele.AddUser(telegramsim.User{ID: 7, FirstName: "Ada", LanguageCode: "en"})
	tele.AddUser(telegramsim.User{ID: 8, FirstName: "Bob"})
	tele.AddChat(telegramsim.Chat{ID: -5, Type: telegramsim.Group, Title: "Team", Members: []int64{7, 8}})
	w := &world{t: t, tele: tele, inbox: newMemory(), log: new(bytes.Buffer)}
	w.config = telegram.Config{
		Token: testToken, Transport: tele.Transport(), Inbox: w.inbox, Lang: "en",
		Log:    slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Handle: w.take, Polled: func(time.Time) { w.mu.Lock(); w.polls++; w.mu.Unlock() },
	}
	for _, f := range change {
		f(&w.config)
	}
	w.renew()
	return w
}

// renew makes the Bot anew, as a restart does.
func (w *world) renew() {
	w.t.Helper()
	b, err := telegram.New(w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.bot = b
}

// take stores what the input means, as the bridge does: it and the update's end
// together, or neither.
func (w *world) take(_ context.Context, in inbound.Input) {
	if w.inbox.fails("commit") != nil {
		return
	}
	w.mu.Lock()
	w.inputs = append(w.inputs, in)
	w.mu.Unlock()
	w.inbox.forget(in.Update)
}

func (w *world) handled() []inbound.Input {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.inputs)
}

func (w *world) texts() []string {
	var all []string
	for _, in := range w.handled() {
		if in.Kind == inbound.Typed {
			all = append(all, in.Text)
		}
	}
	return all
}

// start runs the Bot. Its first poll is under way when start returns.
func (w *world) start() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel, w.ended = cancel, make(chan error, 1)
	bot := w.bot
	go func() { w.ended <- bot.Run(ctx) }()
	synctest.Wait()
}

// stop ends Run and the Bot, and returns Run's error.
func (w *world) stop() error {
	w.t.Helper()
	var err error
	if w.cancel != nil {
		w.cancel()
		err = <-w.ended
		w.cancel = nil
	}
	if err := w.bot.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	w.tele.Close()
	return err
}

// jump makes id the next update's.
func (w *world) jump(id int) {
	w.t.Helper()
	if err := w.tele.JumpUpdateID(id); err != nil {
		w.t.Fatal(err)
	}
}

// checkRules fails the test if the bot broke a rule of the protocol, or sent a parameter that
// is in none of the requests that package botapi has as files.
func (w *world) checkRules() {
	w.t.Helper()
	for _, v := range w.tele.Violations() {
		w.t.Error("violation:", v)
	}
	known := map[string][]string{}
	for _, c := range w.tele.Calls() {
		if known[c.Method] == nil {
			known[c.Method] = parametersOf(w.t, c.Method)
		}
		for name := range c.Params {
			if !slices.Contains(known[c.Method], name) {
				w.t.Errorf("%s has %s, which no file in botapi/testdata/requests has", c.Method, name)
			}
		}
	}
}

// parametersOf are the names of the parameters in the files of a method.
func parametersOf(t *testing.T, method string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("botapi", "testdata", "requests", method+".*"))
	if err != nil || len(files) == 0 {
		t.Errorf("%s is in none of botapi/testdata/requests: %v", method, err)
	}
	names := []string{"file_path"} // of a download, as the simulator calls what is in the URL
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range parameter.FindAllStringSubmatch(string(text), -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// parameter is one in a form, or in a JSON object.
var parameter = regexp.MustCompile(`(?m)^(?:  ")?([a-z_]+)(?:"| \(a file.*\))?:`)

// startChatWithAda lets the bot write to Ada.
func (w *world) startChatWithAda() {
	w.t.Helper()
	if _, err := w.tele.Say(7, 7, "/start"); err != nil {
		w.t.Fatal(err)
	}
}

// show posts a view and waits for what becomes of it.
func (w *world) show(p outbound.Post) outbound.Shown {
	w.t.Helper()
	c := make(chan outbound.Shown, 1)
	w.bot.Show(p, func(s outbound.Shown) { c <- s })
	return <-c
}

func post(chat chat.ID, v question.View, messages ...chat.MessageID) outbound.Post {
	return outbound.Post{Thread: v.Thread, Chat: chat, Messages: messages, View: func() (question.View, bool) { return v, true }}
}

// settle lets everything happen that happens within a minute.
func settle() {
	time.Sleep(time.Minute)
	synctest.Wait()
}

// lostAnswer is a call that works, and whose answer is lost.
var lostAnswer = telegramsim.Fault{Kind: telegramsim.ResetAfter}

var errDisk = errors.New("the disk is full")

// roundTrip is a function as a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Ada, and her chat with the bot, as updates name them.
const (
	adaJSON  = `"from":{"id":7,"is_bot":false,"first_name":"Ada","last_name":"L\u202eve","language_code":"zh-hans"}`
	chatJSON = `"chat":{"id":7,"type":"private"}`
)
