package telegram

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
	"hermes/telegram/words"
)

// outgoingTimeout bounds one outgoing call. Near its limits Telegram holds a
// request for some 15 s and then carries it out, so it is not short.
const outgoingTimeout = 60 * time.Second

// Bot is one Telegram bot. All methods may be called concurrently; Run once.
type Bot struct {
	id       question.UserID // the bot's own
	api      *botapi.Client
	inbox    Inbox
	handle   func(context.Context, question.Input)
	polled   func(time.Time)
	last     func(question.ChatID) question.PostedID
	told     func(question.ChatID, question.PostedID)
	known    func(question.ChatID, question.PostedID) (bool, error)
	chatLang func(question.ChatID) string
	lang     string
	drives   func() bool
	hook     webhook
	health   health
	token    tokenDoubt
	self     self
	log      *slog.Logger

	// work is what calls run under: it outlives the poll.
	work     context.Context
	cancel   context.CancelFunc
	stopping chan struct{}
	stop     sync.Once
	running  sync.WaitGroup

	chats   chats
	screen  screen
	arrived arrivals

	hookErrors hookErrors
	hookWell   chan time.Time // when the webhook was found well; not buffered
}

// New checks the configuration and returns a Bot that is idle: Show, Note and
// Answer work at once, updates come in while Run runs. It makes no call.
func New(c Config) (*Bot, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	api, err := botapi.New(botapi.Config{
		Token: c.Token, Root: c.APIURL, Proxy: c.Proxy, Transport: c.Transport,
		Secrets: []secret.Text{c.Proxy, c.Webhook.Secret}, Called: c.Called, Log: c.Log,
	})
	if err != nil {
		return nil, err
	}
	b := &Bot{
		id: botID(c.Token), api: api, inbox: c.Inbox, handle: c.Handle, polled: c.Polled, last: c.LastMessage, told: c.Posted, known: c.Known,
		chatLang: c.ChatLang, lang: c.Lang, drives: c.Drives, hook: newWebhook(c.Webhook), log: c.Log, token: tokenDoubt{worked: c.TokenWorked},
		stopping: make(chan struct{}), chats: newChats(), screen: newScreen(), arrived: newArrivals(), hookWell: make(chan time.Time),
	}
	b.health.set("Telegram has not answered yet")
	b.work, b.cancel = context.WithCancel(context.Background())
	return b, nil
}

// String names the type alone, as a Bot holds secrets.
func (b *Bot) String() string   { return "telegram.Bot" }
func (b *Bot) GoString() string { return "telegram.Bot" }

// Close lets calls that are under way end, until ctx is done, then cuts them
// off. What is queued is reported as Stopping and was not sent. Close does not
// end Run; end that first, by its context.
func (b *Bot) Close(ctx context.Context) error {
	b.chats.mu.Lock()
	b.stop.Do(func() { close(b.stopping) })
	b.chats.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		b.running.Wait()
		close(ended)
	}()
	defer b.cancel()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		b.cancel()
		<-ended
		return ctx.Err()
	}
}

// spawn runs f unless the Bot is closed. It reports whether it does.
func (b *Bot) spawn(f func()) bool {
	b.chats.mu.Lock()
	defer b.chats.mu.Unlock()
	if b.stopped() {
		return false
	}
	b.running.Go(f)
	return true
}

func (b *Bot) stopped() bool {
	select {
	case <-b.stopping:
		return true
	default:
		return false
	}
}

// words are the texts for a chat, or for a person with a language of their own.
func (b *Bot) words(chat question.ChatID, lang string) words.Table {
	switch {
	case b.lang != "" && b.lang != "auto":
		return words.For(b.lang)
	case lang != "":
		return words.For(lang)
	}
	return words.For(b.chatLang(chat))
}
