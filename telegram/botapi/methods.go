package botapi

import (
	"context"
	"errors"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

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

// EditMessageCaption changes what is said of a file. Without ReplyMarkup it has no buttons
// then.
func (c *Client) EditMessageCaption(ctx context.Context, p *bot.EditMessageCaptionParams) error {
	return callWithoutResult(ctx, "editMessageCaption", c.bot.EditMessageCaption, p)
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

// GetChat tells of a chat. Its type, its names, whether it is a forum, and whether members
// may send messages and documents are read.
func (c *Client) GetChat(ctx context.Context, p *bot.GetChatParams) (*models.ChatFullInfo, error) {
	return callLibrary(ctx, "getChat", c.bot.GetChat, p)
}

// GetChatMember tells of a member of a chat. What it is there, and whether it may send
// messages and documents and manage topics are read. Who is something that the Bot API
// did not know in 2026 counts as a member.
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
