package telegramsim

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options configure a [Server]. The zero value of every field but Token is usable.
type Options struct {
	Token       string // the bot's token, "<digits>:<secret>"; required
	BotID       int64  // default: the digits before the token's colon
	BotName     string // default "Hermes"
	BotUsername string // without @; default "hermes_bot"

	// PrivacyOff lets the bot see every message of its groups.
	PrivacyOff bool
	// PrivateTopics gives the bot's private chats topics (has_topics_enabled).
	PrivateTopics bool
	// RefuseForceReplyEdits refuses an edit that would change the force_reply of an
	// inline keyboard; else the field is passed over. Telegram says only that it
	// cannot be changed.
	RefuseForceReplyEdits bool
	// Local accepts webhooks on plain HTTP and on any port, as a Bot API server
	// that was started with --local does.
	Local bool
	// Files is a folder where a Bot API server that was started with --local keeps
	// files: getFile then writes them there and tells the absolute path. Empty: files
	// of up to 20 MB are downloaded.
	Files string
	// Lenient lets everything but a send succeed in a private chat that blocked the bot or
	// never started it, and in a group that became a supergroup, as far as the server has
	// nothing against it. Otherwise it is refused there. Which of the two Telegram does is
	// not known.
	Lenient bool
	// Flood sets the rate limits; the zero value sets none.
	Flood Flood
	// AnswerWindow is how long after it was handed out a callback can be
	// answered. Telegram does not document its own; default one minute.
	AnswerWindow time.Duration
	// FirstUpdateID is the id of the first update; default 100000001.
	FirstUpdateID int
	// Webhook carries the updates to the bot's webhook; default
	// http.DefaultTransport.
	Webhook http.RoundTripper
}

// Server is one Telegram with one bot. Make it with [New]; call [Server.Close]
// when a webhook was set, to end its delivery.
type Server struct {
	opts    Options
	bot     User
	methods map[string]handler
	done    context.Context
	close   context.CancelFunc

	mu         sync.Mutex
	changed    chan struct{} // closed and replaced at every change
	users      map[int64]*person
	chats      map[int64]*chat
	files      map[string]*Document
	paths      map[string]offer
	commands   map[string]string
	callbacks  map[string]*callback
	queue      queue
	poll       pollState
	hook       *webhook
	nextHook   time.Time // when setWebhook may be called again
	badHook    string    // why setWebhook is refused
	loggedOut  time.Time // until when every call is answered 401
	silenced   int       // how often all connections have gone silent
	fault      func(Call) Fault
	planned    map[string][]Fault
	unsent     map[string]int // messages whose answers are held back, by chat
	calls      []*Call
	counts     map[string]int
	alerts     []Alert
	violations []string
	lastID     int // message ids of private chats and basic groups
	serial     int // ids of files, callbacks and new chats
}

// New returns a running server without people or chats. It panics when the
// token cannot be one, because every later call would be refused.
func New(o Options) *Server {
	if !tokenLike(o.Token) {
		panic("simulator: Options.Token must look like <digits>:<secret>")
	}
	withDefaults(&o)
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		opts: o, done: ctx, close: cancel, methods: methods(),
		bot:       User{ID: o.BotID, IsBot: true, FirstName: o.BotName, Username: o.BotUsername},
		changed:   make(chan struct{}),
		users:     map[int64]*person{},
		chats:     map[int64]*chat{},
		files:     map[string]*Document{},
		paths:     map[string]offer{},
		commands:  map[string]string{},
		callbacks: map[string]*callback{},
		counts:    map[string]int{},
		planned:   map[string][]Fault{},
		unsent:    map[string]int{},
		queue:     newQueue(o.FirstUpdateID),
	}
	return s
}

func withDefaults(o *Options) {
	if o.BotID == 0 {
		digits, _, _ := strings.Cut(o.Token, ":")
		o.BotID, _ = strconv.ParseInt(digits, 10, 64)
	}
	o.BotName = orDefault(o.BotName, "Hermes")
	o.BotUsername = orDefault(o.BotUsername, "hermes_bot")
	o.AnswerWindow = orDefault(o.AnswerWindow, time.Minute)
	o.FirstUpdateID = orDefault(o.FirstUpdateID, 100000001)
	if o.Webhook == nil {
		o.Webhook = http.DefaultTransport
	}
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// Bot returns the bot's own account.
func (s *Server) Bot() User { return s.bot }

// Close ends webhook delivery. The server still answers calls afterwards.
func (s *Server) Close() { s.close() }

// announce wakes everyone who waits for a change. It is called with s.mu held.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}
