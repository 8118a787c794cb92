package telegramsim_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/simulate/telegramsim"
)

// client is the bot library that hermes uses, over the simulator's transport.
func client(t *testing.T, s *telegramsim.Server, more ...bot.Option) *bot.Bot {
	t.Helper()
	b, err := bot.New(token, append(more,
		bot.WithHTTPClient(50*time.Second, &http.Client{Transport: s.Transport()}))...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRealClientConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		handle := func(ctx context.Context, b *bot.Bot, u *models.Update) {
			switch {
			case u.Message != nil && u.Message.Text == "/start":
				ask(ctx, t, b, u.Message.Chat.ID)
			case u.CallbackQuery != nil:
				settle(ctx, t, b, u.CallbackQuery)
			}
		}
		b := client(t, s, bot.WithDefaultHandler(handle))
		done := make(chan struct{})
		go func() { b.Start(ctx); close(done) }()
		m, err := s.AwaitText(t.Context(), ada, "Which <database>")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tap(ada, ada, m.ID, "Postgre"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AwaitText(t.Context(), ada, "→ pg"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the library drops handlers that still run
		cancel()
		<-done
		if a := s.Alerts(); len(a) != 1 || a[0].Text != "Noted" {
			t.Errorf("alerts %+v", a)
		}
		if v := s.Violations(); len(v) != 0 {
			t.Errorf("violations %q", v)
		}
	})
}

func ask(ctx context.Context, t *testing.T, b *bot.Bot, chat int64) {
	_, err := b.SendMessage(ctx, &bot.SendMessageParams{
		ChatID: chat, Text: "<b>Which &lt;database&gt;</b>", ParseMode: models.ParseModeHTML,
		LinkPreviewOptions: &models.LinkPreviewOptions{IsDisabled: bot.True()},
		ReplyMarkup: &models.InlineKeyboardMarkup{ForceReply: true, InlineKeyboard: [][]models.InlineKeyboardButton{
			{{Text: "SQLite", CallbackData: "lite"}, {Text: "PostgreSQL", CallbackData: "pg", Style: "success"}},
		}},
	})
	if err != nil {
		t.Error(err)
	}
}

func settle(ctx context.Context, t *testing.T, b *bot.Bot, q *models.CallbackQuery) {
	if _, err := b.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: q.ID, Text: "Noted"}); err != nil {
		t.Error(err)
	}
	m := q.Message.Message
	_, err := b.EditMessageText(ctx, &bot.EditMessageTextParams{ChatID: m.Chat.ID, MessageID: m.ID, Text: m.Text + "\n→ " + q.Data})
	if err != nil {
		t.Error(err)
	}
}

func TestRealClientMethods(t *testing.T) {
	s := world(t, telegramsim.Options{})
	ctx := t.Context()
	b := client(t, s)
	me, err := b.GetMe(ctx)
	if err != nil || me.Username != "hermes_bot" || me.ID != 123456 {
		t.Errorf("getMe = %+v, %v", me, err)
	}
	doc, err := b.SendDocument(ctx, &bot.SendDocumentParams{
		ChatID: ada, Caption: "<i>log</i>", ParseMode: models.ParseModeHTML,
		Document: &models.InputFileUpload{Filename: "answer.txt", Data: strings.NewReader("all of it")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Messages(ada)[1]; got.Document.Name != "answer.txt" || string(got.Document.Data) != "all of it" || got.HTML != "<i>log</i>" {
		t.Errorf("document %+v", got)
	}
	again := &bot.SendDocumentParams{ChatID: ada, Document: &models.InputFileString{Data: doc.Document.FileID}}
	if _, err := b.SendDocument(ctx, again); err != nil {
		t.Errorf("by file id: %v", err)
	}
	_, err = b.SetMessageReaction(ctx, &bot.SetMessageReactionParams{ChatID: ada, MessageID: 1, Reaction: []models.ReactionType{
		{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Emoji: "👀"}},
	}})
	if err != nil || s.Messages(ada)[0].Reaction != "👀" {
		t.Errorf("reaction: %v", err)
	}
	member, err := b.GetChatMember(ctx, &bot.GetChatMemberParams{ChatID: super, UserID: ada})
	if err != nil || member.Type != models.ChatMemberTypeAdministrator {
		t.Errorf("getChatMember = %+v, %v", member, err)
	}
	if _, err := b.SendChatAction(ctx, &bot.SendChatActionParams{ChatID: ada, Action: models.ChatActionTyping}); err != nil {
		t.Error(err)
	}
}

func TestRealClientCommandsAndWebhook(t *testing.T) {
	s := world(t, telegramsim.Options{})
	ctx := t.Context()
	b := client(t, s)
	scope := &models.BotCommandScopeAllPrivateChats{}
	list := []models.BotCommand{{Command: "open", Description: "Open questions"}}
	if _, err := b.SetMyCommands(ctx, &bot.SetMyCommandsParams{Commands: list, Scope: scope}); err != nil {
		t.Fatal(err)
	}
	if got := s.Commands("all_private_chats"); len(got) != 1 || got[0].Command != "open" || len(s.Commands("default")) != 0 {
		t.Errorf("commands = %v", got)
	}
	if got, err := b.GetMyCommands(ctx, &bot.GetMyCommandsParams{Scope: scope}); err != nil || len(got) != 1 {
		t.Errorf("getMyCommands = %v, %v", got, err)
	}
	if _, err := b.DeleteMyCommands(ctx, &bot.DeleteMyCommandsParams{Scope: scope}); err != nil || len(s.Commands("all_private_chats")) != 0 {
		t.Errorf("deleteMyCommands: %v", err)
	}
	// A form without a field is more than the server takes (HttpReader.cpp, read_next).
	if _, err := b.DeleteWebhook(ctx, &bot.DeleteWebhookParams{}); !errors.Is(err, bot.ErrorBadRequest) {
		t.Error(err)
	}
	if _, err := b.DeleteWebhook(ctx, nil); err != nil {
		t.Error(err)
	}
	if info, err := b.GetWebhookInfo(ctx); err != nil || info.PendingUpdateCount != 1 {
		t.Errorf("getWebhookInfo = %+v, %v", info, err)
	}
}

func TestRealClientErrors(t *testing.T) {
	s := world(t, telegramsim.Options{})
	b := client(t, s)
	write := func(chat int64) error {
		_, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: chat, Text: "x"})
		return err
	}
	if err := write(bob); !errors.Is(err, bot.ErrorBadRequest) {
		t.Errorf("never seen: %v", err)
	}
	say(t, s, bob, group, "/start@hermes_bot")
	if err := write(bob); !errors.Is(err, bot.ErrorForbidden) {
		t.Errorf("never started: %v", err)
	}
	next, err := s.Upgrade(ada, group)
	if err != nil {
		t.Fatal(err)
	}
	var migrated *bot.MigrateError
	if err := write(group); !errors.As(err, &migrated) || int64(migrated.MigrateToChatID) != next {
		t.Errorf("migrated: %v", err)
	}
	s.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 9})
	var flood *bot.TooManyRequestsError
	if err := write(ada); !errors.As(err, &flood) || flood.RetryAfter != 9 {
		t.Errorf("flood: %v", err)
	}
	s.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.BadGateway})
	if err := write(ada); err == nil || !strings.Contains(err.Error(), "502 Bad Gateway") {
		t.Errorf("bad gateway: %v", err)
	}
}
