package botapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
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

// GeneralTopic is the topic of a forum that everybody has, as links to its messages name it.
const GeneralTopic = 1

// Thread is the message_thread_id with which something is sent to a topic, 0 for the chat
// itself. General is never named: the Bot API server refuses it with "message thread not
// found" (Client.cpp:8275).
func Thread(topic int) int {
	if topic == GeneralTopic {
		return 0
	}
	return topic
}

var (
	tokenForm  = regexp.MustCompile(`^[0-9]{5,20}:[A-Za-z0-9_-]{30,64}$`)
	secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// IsToken reports whether the text has the form of a bot's token, as @BotFather gives it. A
// text of another form must not be sent: net/url would show it, unmasked, in its errors.
func IsToken(text secret.Text) bool { return tokenForm.MatchString(text.Reveal()) }

// IsWebhookSecret reports whether setWebhook takes the text as its secret_token (Bot API).
func IsWebhookSecret(text secret.Text) bool {
	return len(text) <= 256 && secretForm.MatchString(text.Reveal())
}

// clock is how the clock here stands to Telegram's, as the answers' Date headers tell.
type clock struct {
	skew atomic.Pointer[time.Duration]
}

// note takes in the header of an answer to a call that began then. It has whole seconds, and was written somewhere
// between the two times; an answer that was long in coming, as a poll's, says nothing.
func (c *clock) note(header string, began time.Time) {
	at, err := http.ParseTime(header)
	if took := time.Since(began); err == nil && took < 5*time.Second {
		skew := began.Add(took / 2).Sub(at.Add(time.Second / 2))
		c.skew.Store(&skew)
	}
}

// Skew is how far the clock here is ahead of Telegram's, give or take a second; not known before the first answer.
func (c *Client) Skew() (skew time.Duration, known bool) {
	if d := c.wire.clock.skew.Load(); d != nil {
		return *d, true
	}
	return 0, false
}

// callLibrary makes a call of the library, and finds the *Error in what it made of it. An
// error that the library made itself means that it could not read the answer.
func callLibrary[P, R any](ctx context.Context, op string, call func(context.Context, P) (R, error), params P) (R, error) {
	result, err := call(ctx, params)
	if err == nil {
		return result, nil
	}
	var none R
	var e *Error
	if errors.As(err, &e) {
		return none, e
	}
	return none, unreadableAnswer(op)
}

// callWithoutResult is callLibrary for a method whose result says nothing.
func callWithoutResult[P, R any](ctx context.Context, op string, call func(context.Context, P) (R, error), params P) error {
	_, err := callLibrary(ctx, op, call, params)
	return err
}

// withNoParams gives a call that takes no parameters the form of one that does.
func withNoParams[R any](call func(context.Context) (R, error)) func(context.Context, struct{}) (R, error) {
	return func(ctx context.Context, _ struct{}) (R, error) { return call(ctx) }
}

// SendMessage sends text. Of the message, the id and the date are read.
func (c *Client) SendMessage(ctx context.Context, p *bot.SendMessageParams) (*models.Message, error) {
	return callLibrary(ctx, "sendMessage", c.bot.SendMessage, p)
}

// SendDocument sends a file. Of the message, the id and the date are read.
func (c *Client) SendDocument(ctx context.Context, p *bot.SendDocumentParams) (*models.Message, error) {
	return callLibrary(ctx, "sendDocument", c.bot.SendDocument, p)
}

// EditMessageText changes a message. Without ReplyMarkup it has no buttons then.
func (c *Client) EditMessageText(ctx context.Context, p *bot.EditMessageTextParams) error {
	return callWithoutResult(ctx, "editMessageText", c.bot.EditMessageText, p)
}

// DeleteMessage takes a message away.
func (c *Client) DeleteMessage(ctx context.Context, p *bot.DeleteMessageParams) error {
	return callWithoutResult(ctx, "deleteMessage", c.bot.DeleteMessage, p)
}

// AnswerCallbackQuery acknowledges a tap.
func (c *Client) AnswerCallbackQuery(ctx context.Context, p *bot.AnswerCallbackQueryParams) error {
	return callWithoutResult(ctx, "answerCallbackQuery", c.bot.AnswerCallbackQuery, p)
}

// SetMessageReaction puts the reactions under a message in place of the bot's own. To take
// them away, Reaction is empty and not nil.
func (c *Client) SetMessageReaction(ctx context.Context, p *bot.SetMessageReactionParams) error {
	return callWithoutResult(ctx, "setMessageReaction", c.bot.SetMessageReaction, p)
}

// SendChatAction shows what the bot does, such as "typing…".
func (c *Client) SendChatAction(ctx context.Context, p *bot.SendChatActionParams) error {
	return callWithoutResult(ctx, "sendChatAction", c.bot.SendChatAction, p)
}

// CreateForumTopic makes a topic. Of it, the id is read.
func (c *Client) CreateForumTopic(ctx context.Context, p *bot.CreateForumTopicParams) (*models.ForumTopic, error) {
	return callLibrary(ctx, "createForumTopic", c.bot.CreateForumTopic, p)
}

// EditForumTopic renames a topic.
func (c *Client) EditForumTopic(ctx context.Context, p *bot.EditForumTopicParams) error {
	return callWithoutResult(ctx, "editForumTopic", c.bot.EditForumTopic, p)
}

// CloseForumTopic closes a topic.
func (c *Client) CloseForumTopic(ctx context.Context, p *bot.CloseForumTopicParams) error {
	return callWithoutResult(ctx, "closeForumTopic", c.bot.CloseForumTopic, p)
}

// ReopenForumTopic opens a closed topic.
func (c *Client) ReopenForumTopic(ctx context.Context, p *bot.ReopenForumTopicParams) error {
	return callWithoutResult(ctx, "reopenForumTopic", c.bot.ReopenForumTopic, p)
}

// GetMyCommands returns the menu of exactly this scope and language.
func (c *Client) GetMyCommands(ctx context.Context, p *bot.GetMyCommandsParams) ([]models.BotCommand, error) {
	return callLibrary(ctx, "getMyCommands", c.bot.GetMyCommands, p)
}

// SetMyCommands sets a menu.
func (c *Client) SetMyCommands(ctx context.Context, p *bot.SetMyCommandsParams) error {
	return callWithoutResult(ctx, "setMyCommands", c.bot.SetMyCommands, p)
}

// DeleteMyCommands takes a menu away.
func (c *Client) DeleteMyCommands(ctx context.Context, p *bot.DeleteMyCommandsParams) error {
	return callWithoutResult(ctx, "deleteMyCommands", c.bot.DeleteMyCommands, p)
}

// GetMe tells who the bot is. Its names, and what it may do, are read.
func (c *Client) GetMe(ctx context.Context) (*models.User, error) {
	return callLibrary(ctx, "getMe", withNoParams(c.bot.GetMe), struct{}{})
}

// GetChat tells of a chat. Its type, its names, whether it is a forum, whether members
// may send messages and documents, and its slow mode are read.
func (c *Client) GetChat(ctx context.Context, p *bot.GetChatParams) (*models.ChatFullInfo, error) {
	return callLibrary(ctx, "getChat", c.bot.GetChat, p)
}

// GetChatMember tells of a member of a chat. What it is there, and whether it may send
// messages and documents and manage topics are read.
func (c *Client) GetChatMember(ctx context.Context, p *bot.GetChatMemberParams) (*models.ChatMember, error) {
	return callLibrary(ctx, "getChatMember", c.bot.GetChatMember, p)
}

// GetWebhookInfo tells of the webhook: its URL, how many updates wait, and the last error.
func (c *Client) GetWebhookInfo(ctx context.Context) (*models.WebhookInfo, error) {
	return callLibrary(ctx, "getWebhookInfo", withNoParams(c.bot.GetWebhookInfo), struct{}{})
}

// SetWebhook makes Telegram call a URL with updates.
func (c *Client) SetWebhook(ctx context.Context, p *bot.SetWebhookParams) error {
	return callWithoutResult(ctx, "setWebhook", c.bot.SetWebhook, p)
}

// DeleteWebhook lets the bot poll again. The updates that wait are kept.
func (c *Client) DeleteWebhook(ctx context.Context) error {
	return callWithoutResult(ctx, "deleteWebhook", c.bot.DeleteWebhook, nil)
}

// Fetch gets a file that a person sent (Bot API getFile, which gives out up to 20 MB; a
// local server gives out more). It makes one attempt of each of its two calls. The
// error is TooLarge, also session.ErrTooLarge, for a file of more than limit bytes;
// FileGone for one that cannot be got; Temporary tells whether a later try may succeed.
func (c *Client) Fetch(ctx context.Context, id chat.FileID, limit int64) ([]byte, error) {
	f, err := callLibrary(ctx, "getFile", c.bot.GetFile, &bot.GetFileParams{FileID: string(id)})
	if err != nil {
		return nil, err
	}
	if f.FileSize > limit {
		return nil, tooLarge(f.FileSize, limit)
	}
	data, err := c.wire.fetch(ctx, f.FilePath, limit)
	if err == nil && f.FileSize > 0 && int64(len(data)) != f.FileSize {
		return nil, &Error{Op: "file", Reason: Server, Detail: fmt.Sprintf("%d of %d bytes came", len(data), f.FileSize)}
	}
	return data, err
}

func tooLarge(size, limit int64) *Error {
	return &Error{Op: "file", Reason: TooLarge, Detail: fmt.Sprintf("%d bytes, and %d at most are wanted", size, limit)}
}

// fetch gets the file at a path that getFile told. That of a server that was started
// with --local is absolute, and in a folder named by the token: the file is read from
// there, or downloaded where something before the server gives its folder out. The server
// itself gives out none, nor does one without --local (HttpConnection.cpp:33-35). No other path on this
// disk is ever read.
func (w *wire) fetch(ctx context.Context, path string, limit int64) ([]byte, error) {
	if !filepath.IsAbs(path) {
		data, err := w.download(ctx, path, limit)
		return data, w.explain(err, "this server serves no files: run it with --local on the same disk")
	}
	below, ok := w.belowFolder(path)
	if !ok {
		return nil, &Error{Op: "file", Reason: FileGone, Detail: "the Bot API server told a path that is not in this bot's folder"}
	}
	file, unread := openRegular(path)
	if unread != nil {
		data, err := w.download(ctx, below, limit)
		return data, w.explain(err, fmt.Sprintf("cannot be read at %s: %v", path, unread))
	}
	defer file.Close()
	return w.readLimited(file, limit)
}

// belowFolder is the part of an absolute path that is below the folder of the bot's files.
func (w *wire) belowFolder(path string) (below string, ok bool) {
	slashed := filepath.ToSlash(path)
	if filepath.ToSlash(filepath.Clean(path)) != slashed {
		return "", false
	}
	for _, folder := range w.folders {
		if _, below, ok = strings.Cut(slashed, folder); ok {
			return below, true
		}
	}
	return "", false
}

// openRegular opens a file. The error does not name the path.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return file, err
}

// explain says why a self-hosted server gives a file out in no way.
func (w *wire) explain(err error, why string) error {
	var e *Error
	if len(w.folders) > 0 && errors.As(err, &e) && e.Reason == FileGone {
		e.Detail = w.redact(why)
	}
	return err
}

// download gets the file at a path below the Bot API root.
func (w *wire) download(ctx context.Context, path string, limit int64) ([]byte, error) {
	if !fs.ValidPath(path) {
		return nil, &Error{Op: "file", Reason: FileGone, Detail: "the Bot API told no path of a file"}
	}
	if err := w.mayCall("file"); err != nil {
		return nil, err
	}
	where := w.files((&url.URL{Path: path}).EscapedPath())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return nil, &Error{Op: "file", Reason: Refused, Detail: w.redact(err.Error())}
	}
	resp, err := w.roundTrip("file", req)
	if err != nil {
		return nil, w.networkError("file", err, false)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refusedFile(resp)
	}
	return w.readLimited(resp.Body, limit)
}

// readLimited reads a file that may be larger than it was said to be.
func (w *wire) readLimited(from io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return nil, w.networkError("file", err, false)
	case int64(len(data)) > limit:
		return nil, tooLarge(int64(len(data)), limit)
	}
	return data, nil
}

// refusedFile reads the status of a download; its body may be anything. 404 says
// nothing of the token here.
func refusedFile(resp *http.Response) *Error {
	e := &Error{Op: "file", Reason: Refused, Detail: "HTTP " + strconv.Itoa(resp.StatusCode)}
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound, code == http.StatusGone:
		e.Reason = FileGone
	case code == http.StatusTooManyRequests:
		e.Reason = Flood
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		e.RetryAfter = time.Duration(max(seconds, 1)) * time.Second
	case code >= 500, code < 400:
		e.Reason = Server
	}
	return e
}

// Poll asks for updates (Bot API getUpdates).
type Poll struct {
	Offset  chat.UpdateID // those below are confirmed: Telegram forgets them
	Limit   int           // 1 to 100
	Hold    time.Duration // how long Telegram may wait for one, in whole seconds: 50 at most
	Allowed []string      // the kinds to be sent, which Telegram remembers; nil: as it is
}

// GetUpdates makes one poll. Each update stays raw: one that nobody can read must not hide
// the others.
func (c *Client) GetUpdates(ctx context.Context, p Poll) ([]chat.Update, error) {
	const op = "getUpdates"
	if c.wire.timeout > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, c.wire.timeout+p.Hold)
		defer cancel()
	}
	result, err := c.wire.postJSON(ctx, op, p.params())
	if err != nil {
		return nil, err
	}
	var raw []json.RawMessage
	if json.Unmarshal(result, &raw) != nil {
		return nil, unreadableAnswer(op)
	}
	batch := make([]chat.Update, 0, len(raw))
	for _, r := range raw {
		if id := UpdateID(r); id > 0 {
			batch = append(batch, chat.Update{ID: id, Raw: r})
		}
	}
	if len(raw) > 0 && len(batch) == 0 {
		return nil, &Error{Op: op, Reason: Server, Detail: "updates without numbers"}
	}
	return batch, nil
}

func (p Poll) params() map[string]any {
	params := map[string]any{"offset": p.Offset, "limit": p.Limit, "timeout": int(p.Hold / time.Second)}
	if p.Allowed != nil {
		params["allowed_updates"] = p.Allowed
	}
	return params
}

// UpdateID reads nothing of an update but its number; 0 for what has none.
func UpdateID(raw []byte) chat.UpdateID {
	var u struct {
		ID chat.UpdateID `json:"update_id"`
	}
	if json.Unmarshal(raw, &u) != nil {
		return 0
	}
	return u.ID
}

// postJSON makes a call with JSON parameters, and returns its result whole.
func (w *wire) postJSON(ctx context.Context, op string, params any) ([]byte, error) {
	body, err := json.Marshal(params)
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.root(op), bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: w.redact(err.Error())}
	}
	req.Header.Set("Content-Type", "application/json")
	return w.exchange(req)
}
