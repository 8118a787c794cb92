package botapi

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-telegram/bot"

	"hermes/internal/secret"
)

// PublicRoot is the Bot API that Telegram runs.
const PublicRoot = "https://api.telegram.org"

// Config is what a Client needs. Token is required; its form is for the caller to check,
// and that of Root and Proxy.
type Config struct {
	Token     secret.Text
	Root      string            // of the Bot API, without a slash at its end; empty: PublicRoot
	Proxy     secret.Text       // a URL; empty: as the environment says
	Transport http.RoundTripper // in place of the network; Proxy is then unused
	May       func() error      // asked before every call and each write of one: with an error nothing is sent; nil: nobody is asked
	Secrets   []secret.Text     // to be kept out of errors, beside the token
	Timeout   time.Duration     // of a call, above the time for which a poll is held; 0: as the context says
	// Called is called after every call, with its method, the status (0: no answer) and how
	// long it took. It may be called from several goroutines at once. May be nil.
	Called func(method string, status int, took time.Duration)
	Log    *slog.Logger // nil: no log
}

// Client is the Bot API for one bot. Its methods may be called concurrently, and make one
// attempt each. Every error is an [*Error].
type Client struct {
	wire *wire
	bot  *bot.Bot
}

// New returns a Client. It makes no call.
func New(c Config) (*Client, error) {
	if c.Root == "" {
		c.Root = PublicRoot
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	w := newWire(c)
	library, err := bot.New(c.Token.Reveal(),
		bot.WithSkipGetMe(),
		bot.WithServerURL(c.Root),
		bot.WithHTTPClient(time.Minute, w), // the library never polls
		bot.WithErrorsHandler(func(err error) { c.Log.Debug("telegram library", "err", w.redact(err.Error())) }),
	)
	if err != nil {
		return nil, errors.New(w.redact(err.Error()))
	}
	return &Client{wire: w, bot: library}, nil
}

// String names the type alone, as a Client holds secrets.
func (c *Client) String() string   { return "botapi.Client" }
func (c *Client) GoString() string { return "botapi.Client" }

// Redact takes the client's secrets out of a text, as they are and as URLs spell them.
func (c *Client) Redact(text string) string { return c.wire.redact(text) }
