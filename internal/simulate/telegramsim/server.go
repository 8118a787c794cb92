package telegramsim

import (
	"cmp"
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
	BotUsername string // without @; default "hermes_bot"

	// NoGroups lets nobody add the bot to a group, as after /setjoingroups at @BotFather (Bot API User.can_join_groups).
	NoGroups bool
	// PrivateTopics gives the bot's private chats topics (has_topics_enabled).
	PrivateTopics bool
	// NoBoxInTopics plays people on Telegram Desktop or macOS, where no reply box opens in a group with topics (tdesktop 929032d
	// handles ForceReply in history_widget.cpp alone; telegram-bot-api#470, tdesktop#28767). On phones it opens.
	NoBoxInTopics bool
	// CountUnits refuses texts of more than 4096 UTF-16 units. The Bot API server counts code
	// points; it says the same words for MESSAGE_TOO_LONG of Telegram behind it
	// (MessagesManager.cpp:27943), and nobody says what that counts.
	CountUnits bool
	// Files is a folder where a Bot API server that was started with --local keeps
	// files: getFile then writes them there and tells the absolute path. Empty: files
	// of up to 20 MB are downloaded.
	Files string
	// SelfHosted is a Bot API server that was started without --local. Neither serves /file, which
	// api.telegram.org alone does (HttpConnection.cpp:33-35).
	SelfHosted bool
	// Ahead is how far Telegram's clock, which dates messages and answers, is ahead of the one here.
	Ahead time.Duration
	// Flood sets the rate limits; the zero value sets none.
	Flood Flood
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
	commands   map[string][]Command
	callbacks  map[string]*callback
	queue      queue
	poll       pollState
	hook       *webhook
	nextHook   time.Time // when setWebhook may be called again
	loggedOut  time.Time // until when every call is answered 401
	movedOut   time.Time // until when every call is answered "Logged out"
	frozen     bool
	silenced   int // how often all connections have gone silent
	fault      func(Call) Fault
	planned    map[string][]Fault
	calls      []*Call
	counts     map[string]int
	alerts     []Alert
	violations []string
	lastID     int // message ids of private chats and basic groups
	lastTopic  int // topic ids of private chats
	serial     int // ids of files, callbacks and new chats
}

// New returns a running server without people or chats. It panics when the
// token cannot be one, because every later call would be refused.
func New(o Options) *Server {
	if !tokenLike(o.Token) {
		panic("simulator: Options.Token must look like <digits>:<secret>")
	}
	digits, _, _ := strings.Cut(o.Token, ":")
	id, _ := strconv.ParseInt(digits, 10, 64)
	o.Webhook = cmp.Or(o.Webhook, http.DefaultTransport)
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		opts: o, done: ctx, close: cancel, methods: methods(),
		bot:       User{ID: id, IsBot: true, FirstName: "Hermes", Username: cmp.Or(o.BotUsername, "hermes_bot")},
		changed:   make(chan struct{}),
		users:     map[int64]*person{},
		chats:     map[int64]*chat{},
		files:     map[string]*Document{},
		paths:     map[string]offer{},
		commands:  map[string][]Command{},
		callbacks: map[string]*callback{},
		counts:    map[string]int{},
		planned:   map[string][]Fault{},
		lastTopic: general,
		queue:     newQueue(),
	}
	return s
}

// Close ends webhook delivery. The server still answers calls afterwards.
func (s *Server) Close() { s.close() }

// acting locks the server for something that changes it, until the function that it returns is called.
func (s *Server) acting() (done func()) {
	s.mu.Lock()
	return func() {
		s.announce()
		s.mu.Unlock()
	}
}

// announce wakes everyone who waits for a change. It is called with s.mu held.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}
