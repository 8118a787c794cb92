package botapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/telegram/botapi"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// request is a kind of request that hermes makes. Its name is the method, and after a dot
// which of its shapes it is.
type request struct {
	about string
	call  func(context.Context, *botapi.Client) error
}

// requests are all of them.
func requests() map[string]request {
	all := map[string]request{}
	for _, more := range []map[string]request{messages(), edits(), topics(), menus(), looks(), ways()} {
		maps.Copy(all, more)
	}
	return all
}

const (
	ada  = int64(42)
	team = int64(-1001234567890)
)

func sending(p *bot.SendMessageParams) func(context.Context, *botapi.Client) error {
	return func(ctx context.Context, c *botapi.Client) error {
		_, err := c.SendMessage(ctx, p)
		return err
	}
}

func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: bot.True()}
}

// keyboard is that of a card.
func keyboard() *models.InlineKeyboardMarkup {
	return &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{
		{{Text: "🔗 Open example.org", URL: "https://example.org/login?next=1"}},
		{{Text: "1. SQLite", CallbackData: "q1:AZnM3zS2cIOb-Yv2ZJ3kQg:7:o0"}},
		{{Text: "✅ Submit", CallbackData: "q1:AZnM3zS2cIOb-Yv2ZJ3kQg:7:s", Style: "success"}, {Text: "🚫 Dismiss", CallbackData: "q1:AZnM3zS2cIOb-Yv2ZJ3kQg:7:d", Style: "danger"}},
	}}
}

// cardText has all markup that hermes uses.
const cardText = "❓ <b>Which &lt;database&gt;?</b> · <tg-time unix=\"1700000000\" format=\"t\">14:13</tg-time>\n" +
	"<pre><code class=\"language-bash\">git push --force</code></pre>\n<blockquote>said &amp; done</blockquote>"

func messages() map[string]request {
	return map[string]request{
		"sendMessage.card": {"A card: HTML, buttons, in a topic.", sending(&bot.SendMessageParams{
			ChatID: team, MessageThreadID: 12, Text: cardText, ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(), ReplyMarkup: keyboard(),
		})},
		"sendMessage.note": {"A note: HTML, without sound, as a reply to a person's message, which may be gone by then.", sending(&bot.SendMessageParams{
			ChatID: ada, Text: "✅ <b>Done.</b>", ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(), DisableNotification: true,
			ReplyParameters: &models.ReplyParameters{MessageID: 7, AllowSendingWithoutReply: true},
		})},
		"sendMessage.unmarked": {"A card whose HTML Telegram did not understand, anew without markup.", sending(&bot.SendMessageParams{
			ChatID: ada, Text: "❓ Which <database>?", LinkPreviewOptions: noPreview(), ReplyMarkup: keyboard(),
		})},
		"sendMessage.test": {"The test question of setup and doctor: plain text, and one row of buttons.", sending(&bot.SendMessageParams{
			ChatID: ada, Text: "Test question from hermes doctor: does this reach you?",
			ReplyMarkup: &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{{{Text: "Yes", CallbackData: "doctor:ABC"}}}},
		})},
		"sendMessage.box": {"What opens a person's reply box in a group: a mention, as a reply to the card.", sending(&bot.SendMessageParams{
			ChatID: team, Text: `✏️ <b>Database</b> · shop-api` + "\n" + `<a href="tg://user?id=42">Ada</a>: Reply to this message with your answer.`,
			ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(), DisableNotification: true,
			ReplyParameters: &models.ReplyParameters{MessageID: 7, AllowSendingWithoutReply: true},
			ReplyMarkup:     &models.ForceReply{ForceReply: true, InputFieldPlaceholder: "Your answer", Selective: true},
		})},
		"sendMessage.probe": {"Doctor looks whether a topic is there: a reply to a message that no chat has is not sent.", sending(&bot.SendMessageParams{
			ChatID: team, MessageThreadID: 12, Text: "Test message from hermes doctor.", DisableNotification: true,
			ReplyParameters: &models.ReplyParameters{MessageID: 2147483647},
		})},
		"sendDocument": {"A text that is too long for a message, as a file in a topic, without sound.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.SendDocument(ctx, &bot.SendDocumentParams{
				ChatID: team, MessageThreadID: 12, Caption: "The whole question", DisableNotification: true, Document: upload("question.md", "# Which database?\n"),
			})
			return err
		}},
		"sendChatAction": {`Doctor shows "typing…".`, func(ctx context.Context, c *botapi.Client) error {
			return c.SendChatAction(ctx, &bot.SendChatActionParams{ChatID: team, MessageThreadID: 12, Action: models.ChatActionTyping})
		}},
	}
}

func edits() map[string]request {
	editing := func(p *bot.EditMessageTextParams) func(context.Context, *botapi.Client) error {
		return func(ctx context.Context, c *botapi.Client) error { return c.EditMessageText(ctx, p) }
	}
	answering := func(p *bot.AnswerCallbackQueryParams) func(context.Context, *botapi.Client) error {
		return func(ctx context.Context, c *botapi.Client) error { return c.AnswerCallbackQuery(ctx, p) }
	}
	reacting := func(list ...models.ReactionType) func(context.Context, *botapi.Client) error {
		return func(ctx context.Context, c *botapi.Client) error {
			return c.SetMessageReaction(ctx, &bot.SetMessageReactionParams{ChatID: ada, MessageID: 7, Reaction: append([]models.ReactionType{}, list...)})
		}
	}
	return map[string]request{
		"editMessageText.card": {"A card that has changed.", editing(&bot.EditMessageTextParams{
			ChatID: team, MessageID: 8, Text: cardText, ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(), ReplyMarkup: keyboard(),
		})},
		"editMessageText.ended": {"A card that has ended: without reply_markup it has no buttons any more.", editing(&bot.EditMessageTextParams{
			ChatID: team, MessageID: 8, Text: "✅ <b>Answered:</b> SQLite", ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(),
		})},
		"editMessageText.test": {"The end of the test question of setup and doctor.", editing(&bot.EditMessageTextParams{ChatID: ada, MessageID: 8, Text: "✅ Yes."})},
		"deleteMessage": {"A live message that nobody needs any more.", func(ctx context.Context, c *botapi.Client) error {
			return c.DeleteMessage(ctx, &bot.DeleteMessageParams{ChatID: ada, MessageID: 8})
		}},
		"answerCallbackQuery.quiet": {"Ends the spinner of a button.", answering(&bot.AnswerCallbackQueryParams{CallbackQueryID: "180388626443412"})},
		"answerCallbackQuery.alert": {"Tells the person who tapped something.", answering(&bot.AnswerCallbackQueryParams{CallbackQueryID: "180388626443412", Text: "This question has changed.", ShowAlert: true})},
		"setMessageReaction.set":    {"A prompt was taken.", reacting(models.ReactionType{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Emoji: "👀"}})},
		"setMessageReaction.none":   {"An empty list takes the reaction away.", reacting()},
	}
}

func topics() map[string]request {
	return map[string]request{
		"createForumTopic": {"A topic for a session.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.CreateForumTopic(ctx, &bot.CreateForumTopicParams{ChatID: team, Name: "shop-api · fix checkout flow"})
			return err
		}},
		"editForumTopic": {"The session has another title.", func(ctx context.Context, c *botapi.Client) error {
			return c.EditForumTopic(ctx, &bot.EditForumTopicParams{ChatID: team, MessageThreadID: 12, Name: "shop-api · add tests"})
		}},
		"closeForumTopic": {"The session is gone.", func(ctx context.Context, c *botapi.Client) error {
			return c.CloseForumTopic(ctx, &bot.CloseForumTopicParams{ChatID: team, MessageThreadID: 12})
		}},
		"reopenForumTopic": {"The session is back.", func(ctx context.Context, c *botapi.Client) error {
			return c.ReopenForumTopic(ctx, &bot.ReopenForumTopicParams{ChatID: team, MessageThreadID: 12})
		}},
	}
}

func menus() map[string]request {
	private, groups := &models.BotCommandScopeAllPrivateChats{}, &models.BotCommandScopeAllGroupChats{}
	return map[string]request{
		"getMyCommands.private": {"The menu of private chats as it is.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetMyCommands(ctx, &bot.GetMyCommandsParams{Scope: private})
			return err
		}},
		"getMyCommands.chinese": {"The menu of groups for people whose Telegram is Chinese.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetMyCommands(ctx, &bot.GetMyCommandsParams{Scope: groups, LanguageCode: "zh"})
			return err
		}},
		"setMyCommands": {"A menu that is not as it should be.", func(ctx context.Context, c *botapi.Client) error {
			return c.SetMyCommands(ctx, &bot.SetMyCommandsParams{
				Commands: []models.BotCommand{{Command: "sessions", Description: "会话"}, {Command: "help", Description: "帮助"}}, Scope: private, LanguageCode: "zh",
			})
		}},
		"deleteMyCommands": {"A menu that should not be there.", func(ctx context.Context, c *botapi.Client) error {
			return c.DeleteMyCommands(ctx, &bot.DeleteMyCommandsParams{Scope: groups, LanguageCode: "zh"})
		}},
	}
}

func looks() map[string]request {
	fetching := func(ctx context.Context, c *botapi.Client) error {
		_, err := c.Fetch(ctx, "AgACAgIAAxkBAAIB", 1<<20)
		return err
	}
	return map[string]request{
		"getMe": {"A call without parameters has no body and no kind of one.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetMe(ctx)
			return err
		}},
		"getChat": {"Setup asks for a person's name, doctor for a chat.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetChat(ctx, &bot.GetChatParams{ChatID: team})
			return err
		}},
		"getChatMember": {"Doctor asks what the bot is in a group.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetChatMember(ctx, &bot.GetChatMemberParams{ChatID: team, UserID: 12345678})
			return err
		}},
		"getFile": {"A file that a person sent.", fetching},
		"file":    {"The file itself, at the path that getFile told.", fetching},
	}
}

func ways() map[string]request {
	polling := func(p botapi.Poll) func(context.Context, *botapi.Client) error {
		return func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetUpdates(ctx, p)
			return err
		}
	}
	kinds := []string{"message", "callback_query", "my_chat_member"}
	return map[string]request{
		"getUpdates.first":   {"The first poll, and the first after a failure, is answered at once.", polling(botapi.Poll{Limit: 100, Allowed: kinds})},
		"getUpdates.poll":    {"Telegram holds a poll until there is something.", polling(botapi.Poll{Offset: 727334709, Limit: 100, Hold: 25 * time.Second, Allowed: kinds})},
		"getUpdates.doctor":  {"Doctor waits for a tap, and confirms nothing. Without allowed_updates the kinds stay as they are.", polling(botapi.Poll{Limit: 100, Hold: 10 * time.Second})},
		"getUpdates.confirm": {"Setup and doctor confirm what was theirs.", polling(botapi.Poll{Offset: 727334709, Limit: 1})},
		"getWebhookInfo": {"Whether a webhook is set, and how it does.", func(ctx context.Context, c *botapi.Client) error {
			_, err := c.GetWebhookInfo(ctx)
			return err
		}},
		"setWebhook": {"Makes Telegram call hermes.", func(ctx context.Context, c *botapi.Client) error {
			return c.SetWebhook(ctx, &bot.SetWebhookParams{URL: "https://hermes.example/telegram", AllowedUpdates: kinds, SecretToken: hookSecret})
		}},
		"deleteWebhook": {"Before polling. Updates that wait are kept, which is what Telegram does without a word.", func(ctx context.Context, c *botapi.Client) error {
			return c.DeleteWebhook(ctx)
		}},
	}
}

// What goes over the wire is what the files say, which a reader can hold against the
// documentation.
func TestRequests(t *testing.T) {
	for name, r := range requests() {
		var got string
		c := client(t, roundTrip(func(req *http.Request) (*http.Response, error) {
			if got == "" || name == "file" { // which comes after getFile
				got = written(t, req)
			}
			return answering(200, `{"ok":true,"result":`+resultOf(name)+`}`)(req)
		}))
		if err := r.call(t.Context(), c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		method, _, _ := strings.Cut(name, ".")
		got = "# https://core.telegram.org/bots/api#" + strings.ToLower(method) + "\n# " + r.about + "\n\n" + got
		leakless(t, name, got)
		golden(t, filepath.Join("testdata", "requests", name+".txt"), got)
	}
	files, err := filepath.Glob(filepath.Join("testdata", "requests", "*.txt"))
	if err != nil || len(files) != len(requests()) {
		t.Errorf("%d files for %d requests, %v", len(files), len(requests()), err)
	}
}

// A method of the client is there because hermes uses it, so there is a file for it.
func TestRequests_OfEachMethod(t *testing.T) {
	for method := range calls() {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(requests())), func(name string) bool { return name == method || strings.HasPrefix(name, method+".") }) {
			t.Errorf("%s has no file", method)
		}
	}
}

func resultOf(name string) string {
	switch method, _, _ := strings.Cut(name, "."); method {
	case "getUpdates", "getMyCommands":
		return "[]"
	case "getChatMember":
		return `{"status":"member"}`
	case "sendMessage", "sendDocument", "createForumTopic", "getFile", "getMe", "getChat", "getWebhookInfo", "file":
		return `{"message_id":9,"message_thread_id":9,"id":9,"file_path":"documents/file_7.txt"}`
	}
	return "true"
}

// written is a request as text: a line for each field, JSON in several.
func written(t *testing.T, r *http.Request) string {
	t.Helper()
	var b strings.Builder
	path := strings.ReplaceAll(r.URL.Path, testToken, "<token>")
	fmt.Fprintf(&b, "%s %s://%s%s\n", r.Method, r.URL.Scheme, r.URL.Host, path)
	kind, attrs, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "" {
		fmt.Fprintf(&b, "Content-Type: %s\n", kind)
	}
	if r.ContentLength < 0 || len(r.TransferEncoding) > 0 || (r.ContentLength > 0) != (r.Body != nil && r.Body != http.NoBody) {
		t.Errorf("%s: the length is %d", path, r.ContentLength)
	}
	if r.Body == nil || r.Body == http.NoBody {
		return b.String()
	}
	b.WriteString("\n")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if kind == "application/json" {
		return b.String() + strings.ReplaceAll(pretty(body), hookSecret, "<secret>") + "\n"
	}
	parts := multipart.NewReader(bytes.NewReader(body), attrs["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		name := part.FormName()
		if part.FileName() != "" {
			name += fmt.Sprintf(" (a file, %q, %s)", part.FileName(), part.Header.Get("Content-Type"))
		}
		b.WriteString(name + ":" + field(strings.ReplaceAll(string(value), hookSecret, "<secret>")) + "\n")
	}
}

// field is a value on the line of its name, or below it and set in.
func field(value string) string {
	if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		value = pretty([]byte(value))
	}
	if !strings.Contains(value, "\n") {
		return " " + value
	}
	return "\n    " + strings.ReplaceAll(strings.TrimSuffix(value, "\n"), "\n", "\n    ")
}

func pretty(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

func leakless(t *testing.T, name, text string) {
	t.Helper()
	_, key, _ := strings.Cut(testToken, ":")
	for _, secret := range []string{key, hookSecret} {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows a secret", name)
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%s is not what is sent (%v):\n%s", path, err, got)
	}
}
