package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
	"hermes/telegram/updates"
	"hermes/telegram/words"
)

// Config is what a Bot needs. Token, Inbox and Handle are required.
type Config struct {
	Token     secret.Text
	APIURL    string            // Bot API root; empty: https://api.telegram.org
	Proxy     secret.Text       // a URL that may hold a password: http://, https:// or socks5://; empty: as the environment says
	Transport http.RoundTripper // in place of the network; Proxy is then unused
	// May is asked before every call to the Bot API, and before each part of it that is sent: with an error nothing is. nil: nobody is asked.
	May func() error
	// Keeps is asked before a message is sent that is lost if its number is not stored, by the goroutine that sends: with an error it is sent later. It may wait for the
	// store. nil: nobody is asked.
	Keeps func() error
	// Called is called after every call to the Bot API, with its method, the status (0: no answer) and how
	// long it took. It may be called from several goroutines at once. May be nil.
	Called func(method string, status int, took time.Duration)
	// TokenWorked: Telegram has taken this very token before. Its refusal is then believed
	// only when it lasts, as it is of a token that worked since New.
	TokenWorked bool

	// Withhold leaves what permissions are asked for out of cards, but for its kind.
	Withhold bool

	Lang    string  // "en", "zh", or "auto" (also empty): see ChatLang
	Webhook Webhook // zero: long polling
	Inbox   Inbox
	Log     *slog.Logger // nil: no log

	// Handle takes one input. It is called from one goroutine, in the order of
	// the updates. It has to mark the update as consumed in the same transaction
	// that stores what it means; an update that it leaves is kept in the inbox.
	// The context outlives the one that Run got.
	Handle func(context.Context, inbound.Input)
	// Polled is called after every good poll. It may be nil.
	Polled func(time.Time)
	// Drives says whether anybody may drive sessions now: only then buttons that do so
	// are shown. It may be nil: nobody.
	Drives func() bool
	// ChatLang is the language of those who act in a chat. It may be nil.
	ChatLang func(chat.ID) string
}

// Inbox keeps updates until what they mean is kept.
type Inbox = updates.Inbox

// Webhook makes Telegram call hermes: its URL leads to Bot.Webhook.
type Webhook = updates.Webhook

// publicRoot is the Bot API that Telegram runs.
const publicRoot = botapi.PublicRoot

// complete checks the configuration and fills in what is empty.
func (c *Config) complete() error {
	c.Token = secret.Text(strings.TrimSpace(c.Token.Reveal()))
	if !botapi.IsToken(c.Token) {
		return errors.New("the Telegram token does not look like one: it must be digits, a colon and at least 30 letters, as @BotFather gives it; check HERMES_TELEGRAM_TOKEN")
	}
	if c.Inbox == nil || c.Handle == nil {
		return errors.New("telegram: Inbox and Handle are required")
	}
	if c.APIURL == "" {
		c.APIURL = publicRoot
	}
	c.APIURL = strings.TrimRight(c.APIURL, "/")
	c.defaults()
	return errors.Join(c.checkURLs(), c.checkWebhook(), c.checkLang())
}

func (c *Config) defaults() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Polled == nil {
		c.Polled = func(time.Time) {}
	}
	if c.ChatLang == nil {
		c.ChatLang = func(chat.ID) string { return "" }
	}
}

// The URLs may carry passwords, so errors name the setting and not the value.
func (c *Config) checkURLs() error {
	if u, err := url.Parse(c.APIURL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("the Bot API root must be a URL like https://api.telegram.org; check HERMES_TELEGRAM_API_URL")
	}
	if c.Proxy == "" {
		return nil
	}
	u, err := url.Parse(c.Proxy.Reveal())
	if err != nil || u.Host == "" {
		return errors.New("the proxy must be a URL like socks5://127.0.0.1:1080; check HERMES_TELEGRAM_PROXY")
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return nil
	}
	return errors.New("the proxy must begin with http://, https:// or socks5://; check HERMES_TELEGRAM_PROXY")
}

// checkWebhook allows http only with a Bot API server of one's own, which takes
// that (Bot API, local mode).
func (c *Config) checkWebhook() error {
	if c.Webhook == (Webhook{}) {
		return nil
	}
	plain := func(u *url.URL) bool { return u.Scheme == "http" && c.APIURL != publicRoot }
	if u, err := url.Parse(c.Webhook.URL); err != nil || u.Host == "" || u.Scheme != "https" && !plain(u) {
		return errors.New("the webhook must be an https:// URL; check HERMES_TELEGRAM_WEBHOOK_URL")
	}
	if !botapi.IsWebhookSecret(c.Webhook.Secret) {
		return errors.New("a webhook needs a secret of 1 to 256 letters, digits, _ or -; check HERMES_TELEGRAM_WEBHOOK_SECRET")
	}
	return nil
}

func (c *Config) checkLang() error {
	all := append([]string{"auto"}, words.Languages()...)
	if c.Lang == "" || slices.Contains(all, c.Lang) {
		return nil
	}
	last := len(all) - 1
	return fmt.Errorf("the language is %s or %s, not %q; check HERMES_LANG", strings.Join(all[:last], ", "), all[last], c.Lang)
}

// languages chooses the language of what a chat or a person gets.
type languages struct {
	fixed  string               // Config.Lang
	ofChat func(chat.ID) string // Config.ChatLang
}

// isAuto reports whether everybody has a language of their own.
func (l languages) isAuto() bool { return l.fixed == "" || l.fixed == "auto" }

// table is the texts for a chat, or for a person with a language of their own.
func (l languages) table(chat chat.ID, lang string) words.Table {
	switch {
	case !l.isAuto():
		return words.For(l.fixed)
	case lang != "":
		return words.For(lang)
	}
	return words.For(l.ofChat(chat))
}
