package updates

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// ErrToken is returned by Run when Telegram refuses the token, and is believed: it
// never worked, or has been refused for minutes. No try will ever succeed.
var ErrToken = errors.New("telegram refuses the token; check HERMES_TELEGRAM_TOKEN")

// Inbox keeps updates until what they mean is kept. Its methods are called from
// one goroutine when polling, and concurrently with a webhook.
type Inbox interface {
	// Fresh returns those of the updates that it never saw. It keeps nothing.
	Fresh([]chat.Update) ([]chat.Update, error)
	// Put keeps the updates, all or none, and returns those that it never saw.
	Put([]chat.Update) ([]chat.Update, error)
	// Inbox returns what was put and neither handled nor set aside, by ascending id.
	Inbox() ([]chat.Update, error)
	// SetAside moves an update that cannot be read out of the way, for good.
	SetAside(id chat.UpdateID, reason string) error
}

// Webhook makes Telegram call hermes. Both are required then.
type Webhook struct {
	URL    string      // https, with the path that leads to Reader.Webhook; http for a Bot API server of one's own
	Secret secret.Text // 1 to 256 of A-Z a-z 0-9 _ -, as Bot API setWebhook takes it
}

// Config is what a Reader needs, all of it but Webhook.
type Config struct {
	API         *botapi.Client
	Bot         chat.UserID // the bot's own id
	TokenWorked bool        // Telegram has taken this very token before
	Webhook     Webhook     // zero: long polling
	Inbox       Inbox
	Log         *slog.Logger

	// Handle takes one input, in the order of the updates, from one goroutine; its
	// context is Calls.
	Handle func(context.Context, inbound.Input)
	Polled func(time.Time) // is called after every good poll

	Calls context.Context // calls that outlive Run run under it
}

// Reader brings updates in. All methods may be called concurrently; Run once.
type Reader struct {
	conn   *connection
	intake *intake
	hook   *hook // nil: long polling
	polled func(time.Time)
}

// New returns a Reader that is idle. It makes no call.
func New(c Config) *Reader {
	l := &connection{api: c.API, log: c.Log, token: tokenDoubt{worked: c.TokenWorked}, retries: retries{log: c.Log}}
	l.health.setWrong("Telegram has not answered yet")
	r := &Reader{
		conn: l, polled: c.Polled,
		intake: &intake{inbox: c.Inbox, bot: c.Bot, handle: c.Handle, calls: c.Calls, log: c.Log, redact: c.API.Redact},
	}
	if c.Webhook.URL != "" {
		r.hook = newHook(c.Webhook, l, r.intake, c.Polled)
	}
	return r
}

// Run brings updates in until ctx is done, and returns nil then, or ErrToken, or the inbox's error: what was not stored is still
// at Telegram. It first handles what a former process left in the inbox. The updates that
// came in before ctx ended are handled to their end.
func (r *Reader) Run(ctx context.Context) error {
	if r.hook != nil {
		return r.hook.serve(ctx)
	}
	updates, err := r.intake.inbox.Inbox()
	if err == nil {
		err = r.intake.take(updates)
	}
	if err != nil {
		return err
	}
	p := poller{conn: r.conn, intake: r.intake, polled: r.polled}
	return p.run(ctx)
}

// Health returns nil while updates come in, else what is wrong in a sentence that
// everybody may read.
func (r *Reader) Health() error { return r.conn.health.check(time.Now()) }

// SetName tells the bot's username, by which commands in groups are told apart.
func (r *Reader) SetName(name string) { r.intake.name.Store(&name) }

// Webhook takes updates from Telegram: 404 when no webhook is configured, 405
// for all but POST, 401 without the secret, 413 for a body beyond 4 MiB, 500 when
// the update cannot be stored, so that Telegram sends it again (it does so for
// any answer but 2xx), and 200 when it is in the inbox. It is handled by Run.
func (r *Reader) Webhook() http.Handler {
	if r.hook == nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { refuseWith(w, http.StatusNotFound) })
	}
	return r.hook
}
