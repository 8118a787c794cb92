package botapi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/telegram/botapi"
)

// newer are things that the Bot API may put into a message and that the library of today
// does not read: unions that have grown, and fields of another type.
const newer = `"chat":{"id":"odd","type":{"a":1},"title":["x"]},"from":{"id":"odd"},
	"reply_to_message":{"message_id":4,"date":"odd","chat":7,"paid_media":{"star_count":1,"paid_media":[{"type":"live_photo"},{"type":"other"}]}},
	"paid_media":{"star_count":1,"paid_media":[{"type":"unheard of"}]},
	"forward_origin":{"type":"unheard of"},"rich_message":{"blocks":[{"type":"unheard of","text":{"type":"unheard of"}}]},
	"background":{"type":"unheard of"},"chat_background_set":{"type":{"type":"unheard of"}},"reply_markup":{"inline_keyboard":"odd"},
	"external_reply":{"origin":{"type":"unheard of"}},"entities":[{"type":7}],"unheard_of":[1]`

type call func(context.Context, *botapi.Client) (string, error)

// calls are all methods, each with what is read of its result, in words.
func calls() map[string]call {
	yes := func(f func(context.Context, *botapi.Client) error) call {
		return func(ctx context.Context, c *botapi.Client) (string, error) { return "done", f(ctx, c) }
	}
	return map[string]call{
		"sendMessage": func(ctx context.Context, c *botapi.Client) (string, error) {
			m, err := c.SendMessage(ctx, &bot.SendMessageParams{ChatID: 7, Text: "x"})
			if err != nil {
				return "", err
			}
			return fmt.Sprint(m.ID, " ", m.Date), nil
		},
		"sendDocument": func(ctx context.Context, c *botapi.Client) (string, error) {
			m, err := c.SendDocument(ctx, document())
			if err != nil {
				return "", err
			}
			return fmt.Sprint(m.ID, " ", m.Date), nil
		},
		"editMessageText": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.EditMessageText(ctx, &bot.EditMessageTextParams{ChatID: 7, MessageID: 5, Text: "x"})
		}),
		"deleteMessage": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.DeleteMessage(ctx, &bot.DeleteMessageParams{ChatID: 7, MessageID: 5})
		}),
		"answerCallbackQuery": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: "1"})
		}),
		"setMessageReaction": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.SetMessageReaction(ctx, &bot.SetMessageReactionParams{ChatID: 7, MessageID: 5})
		}),
		"sendChatAction": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.SendChatAction(ctx, &bot.SendChatActionParams{ChatID: 7, Action: "typing"})
		}),
		"createForumTopic": func(ctx context.Context, c *botapi.Client) (string, error) {
			topic, err := c.CreateForumTopic(ctx, &bot.CreateForumTopicParams{ChatID: -100, Name: "x"})
			if err != nil {
				return "", err
			}
			return fmt.Sprint(topic.MessageThreadID), nil
		},
		"editForumTopic": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.EditForumTopic(ctx, &bot.EditForumTopicParams{ChatID: -100, MessageThreadID: 5, Name: "x"})
		}),
		"closeForumTopic": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.CloseForumTopic(ctx, &bot.CloseForumTopicParams{ChatID: -100, MessageThreadID: 5})
		}),
		"reopenForumTopic": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.ReopenForumTopic(ctx, &bot.ReopenForumTopicParams{ChatID: -100, MessageThreadID: 5})
		}),
		"getMyCommands": func(ctx context.Context, c *botapi.Client) (string, error) {
			menu, err := c.GetMyCommands(ctx, &bot.GetMyCommandsParams{})
			return fmt.Sprint(menu), err
		},
		"setMyCommands": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.SetMyCommands(ctx, &bot.SetMyCommandsParams{})
		}),
		"deleteMyCommands": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.DeleteMyCommands(ctx, &bot.DeleteMyCommandsParams{LanguageCode: "zh"})
		}),
		"getMe": func(ctx context.Context, c *botapi.Client) (string, error) {
			me, err := c.GetMe(ctx)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(me.ID, me.FirstName, me.Username, me.CanReadAllGroupMessages, me.HasTopicsEnabled), nil
		},
		"getChat": func(ctx context.Context, c *botapi.Client) (string, error) {
			chat, err := c.GetChat(ctx, &bot.GetChatParams{ChatID: -100})
			if err != nil {
				return "", err
			}
			may := models.ChatPermissions{}
			if chat.Permissions != nil {
				may = *chat.Permissions
			}
			return fmt.Sprint(chat.ID, chat.Type, chat.Title, chat.IsForum, may.CanSendMessages, may.CanSendDocuments), nil
		},
		"getChatMember": func(ctx context.Context, c *botapi.Client) (string, error) {
			member, err := c.GetChatMember(ctx, &bot.GetChatMemberParams{ChatID: -100, UserID: 1})
			if err != nil {
				return "", err
			}
			return string(member.Type), nil
		},
		"getWebhookInfo": func(ctx context.Context, c *botapi.Client) (string, error) {
			info, err := c.GetWebhookInfo(ctx)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(info.URL, info.PendingUpdateCount, info.LastErrorMessage, info.LastErrorDate), nil
		},
		"setWebhook": yes(func(ctx context.Context, c *botapi.Client) error {
			return c.SetWebhook(ctx, &bot.SetWebhookParams{URL: "https://x.example", SecretToken: hookSecret})
		}),
		"deleteWebhook": yes(func(ctx context.Context, c *botapi.Client) error { return c.DeleteWebhook(ctx) }),
		"getUpdates": func(ctx context.Context, c *botapi.Client) (string, error) {
			updates, err := c.GetUpdates(ctx, botapi.Poll{Limit: 100})
			return fmt.Sprint(len(updates)), err
		},
	}
}

func document() *bot.SendDocumentParams {
	return &bot.SendDocumentParams{ChatID: 7, Document: upload("x.txt", "x")}
}

// A call that Telegram carried out is a success, whatever else its result holds.
func TestResults_AreReadForWhatIsNeeded(t *testing.T) {
	oddMessage := `{"message_id":5,"date":1700000000,` + newer + `}`
	results := map[string]struct{ result, want string }{
		"sendMessage":      {oddMessage, "5 1700000000"},
		"sendDocument":     {oddMessage, "5 1700000000"},
		"editMessageText":  {oddMessage, "done"},
		"createForumTopic": {`{"message_thread_id":9,"name":7,"icon_color":"odd"}`, "9"},
		"getMyCommands":    {`[{"command":"new","description":"begin"}]`, "[{new begin false}]"},
		"getMe":            {`{"id":1,"is_bot":true,"first_name":"H","username":"hermes_bot","has_topics_enabled":true,"unheard_of":[]}`, "1 H hermes_bot false true"},
		"getChat": {
			`{"id":-100,"type":"unheard of","title":"Team","is_forum":true,"permissions":{"can_send_messages":true,"can_send_documents":false},
				"available_reactions":[{"type":"unheard of"}],"pinned_message":{"message_id":1,` + newer + `},"accepted_gift_types":7,"first_profile_audio":7,"rating":"odd"}`,
			"-100 unheard of Team true true false",
		},
		"getChatMember":  {`{"status":"administrator","user":{"id":1},"unheard_of":[]}`, "administrator"},
		"getWebhookInfo": {`{"url":"https://x.example","pending_update_count":3,"last_error_message":"no","last_error_date":9}`, "https://x.example3no9"},
		"getUpdates":     {`[{"update_id":5,"message":7},{"update_id":6,` + newer + `}]`, "2"},
	}
	for method, call := range calls() {
		for _, result := range []string{results[method].result, `true`} {
			want := results[method].want
			switch {
			case result == "":
				result, want = "true", "done"
			case result == "true" && results[method].result != "" && want != "done":
				continue // nothing in it tells what is asked for
			case result == "true":
				want = "done"
			}
			got, err := call(t.Context(), client(t, answering(200, `{"ok":true,"result":`+result+`}`)))
			if err != nil || strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
				t.Errorf("%s: %q, %v; want %q", method, got, err, want)
			}
		}
	}
}

// What lacks that by which it is known was carried out, perhaps, and cannot be used.
func TestResults_WithoutTheirID(t *testing.T) {
	for _, method := range []string{"sendMessage", "sendDocument", "createForumTopic", "getChat"} {
		for _, result := range []string{`{}`, `[]`, `"x"`, `null`, `true`, `{"message_id":"5","message_thread_id":[],"id":{}}`} {
			_, err := calls()[method](t.Context(), client(t, answering(200, `{"ok":true,"result":`+result+`}`)))
			var e *botapi.Error
			if !errors.As(err, &e) || e.Reason != botapi.Server || !e.Unknown {
				t.Errorf("%s with %s: %#v", method, result, err)
			}
		}
	}
}
