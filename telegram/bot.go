package telegram

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"hermes/internal/chat"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
	"hermes/telegram/outbox"
	"hermes/telegram/updates"
)

// outgoingTimeout bounds one outgoing call. Near its limits Telegram holds a
// request for some 15 s and then carries it out, so it is not short.
const outgoingTimeout = 60 * time.Second

// Bot is one Telegram bot. All methods may be called concurrently; Run once.
type Bot struct {
	api    *botapi.Client
	out    *outbox.Outbox
	sender *sender
	texts  languages
	reader *updates.Reader
	drives func() bool
	keeps  func() error // Config.Keeps
	log    *slog.Logger

	withhold bool // Config.Withhold
}

// New checks the configuration and returns a Bot that is idle: Show, Tell and
// Answer work at once, updates come in while Run runs. It makes no call.
func New(c Config) (*Bot, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	api, err := botapi.New(botapi.Config{
		Token: c.Token, Root: c.APIURL, Proxy: c.Proxy, Transport: c.Transport, May: c.May,
		Secrets: []secret.Text{c.Proxy, c.Webhook.Secret}, Called: c.Called, Log: c.Log,
	})
	if err != nil {
		return nil, err
	}
	b := &Bot{api: api, out: outbox.New(), texts: languages{c.Lang, c.ChatLang}, drives: c.Drives, keeps: c.Keeps, log: c.Log, withhold: c.Withhold}
	files, err := lru.New[chat.ID, time.Time](rememberRefusals)
	if err != nil {
		return nil, err
	}
	b.sender = &sender{api: api, log: c.Log, screen: newScreen(), files: files}
	b.reader = updates.New(updates.Config{
		API: api, Bot: botID(c.Token), TokenWorked: c.TokenWorked, Webhook: c.Webhook, Inbox: c.Inbox, Log: c.Log,
		Handle: c.Handle, Polled: c.Polled, Calls: b.out.Calls(),
	})
	return b, nil
}

// String names the type alone, as a Bot holds secrets.
func (b *Bot) String() string   { return "telegram.Bot" }
func (b *Bot) GoString() string { return "telegram.Bot" }

// Run brings updates in until ctx is done, and returns nil then, or ErrToken, or the inbox's error.
// It first handles what a former process left in the inbox. The updates that
// came in before ctx ended are handled to their end.
func (b *Bot) Run(ctx context.Context) error { return b.reader.Run(ctx) }

// Webhook takes updates from Telegram: 404 when no webhook is configured, 405
// for all but POST, 401 without the secret, 413 for a body beyond 4 MiB, 500 when
// the update cannot be stored, so that Telegram sends it again (it does so for
// any answer but 2xx), and 200 when it is in the inbox. It is handled by Run.
func (b *Bot) Webhook() http.Handler { return b.reader.Webhook() }

// Health returns nil while updates come in, else what is wrong in a sentence that
// everybody may read.
func (b *Bot) Health() error { return b.reader.Health() }

// Skew is how far the clock here is ahead of Telegram's, as far as that is known. Whole seconds and the way between cannot tell less than two.
func (b *Bot) Skew() time.Duration {
	if skew, _ := b.api.Skew(); skew.Abs() >= 2*time.Second {
		return skew
	}
	return 0
}

// Close lets calls that are under way end, until ctx is done, then cuts them
// off. What is queued is reported as Stopping and was not sent. Close does not
// end Run; end that first, by its context.
func (b *Bot) Close(ctx context.Context) error {
	defer b.api.CloseIdleConnections()
	return b.out.Close(ctx)
}
