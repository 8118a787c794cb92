package doctor

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/telegram/botapi"
)

// checkChats look at every chat that gets questions.
func (d *Doctor) checkChats(ctx context.Context) (list []result) {
	for _, c := range d.config.TelegramChats {
		list = append(list, within(ctx, func(ctx context.Context) result { return d.checkChat(ctx, c) }))
	}
	if len(list) == 0 {
		return []result{skip("no chat is configured")}
	}
	return list
}

// checkChat asks for the chat and the bot's place in it, and then shows "typing…"
// there: that is the only call that proves, without a message, that the bot may write.
func (d *Doctor) checkChat(ctx context.Context, c config.Chat) result {
	if !d.me().usable() {
		return skip("%d: %s", c.ID, d.noBot().Detail)
	}
	info, err := d.bot.GetChat(ctx, &tg.GetChatParams{ChatID: int64(c.ID)})
	if err != nil {
		return d.unreachableChat(c, clients.ErrorOf(err))
	}
	place := rightsOf(nil, nil)
	rights := ""
	if c.ID < 0 {
		bot, err := d.bot.GetChatMember(ctx, &tg.GetChatMemberParams{ChatID: int64(c.ID), UserID: d.me().ID})
		if err != nil {
			return d.unreachableChat(c, clients.ErrorOf(err))
		}
		place = rightsOf(bot, info.Permissions)
		wrong, words := d.checkGroup(c, info, place)
		if wrong.Status != "" {
			return wrong
		}
		rights = ": " + words
	}
	typing := &tg.SendChatActionParams{ChatID: int64(c.ID), MessageThreadID: botapi.Thread(c.Topic), Action: models.ChatActionTyping}
	if err := d.bot.SendChatAction(ctx, typing); err != nil {
		return d.unreachableChat(c, clients.ErrorOf(err))
	}
	if err := d.probeTopic(ctx, c); err != nil {
		return d.unreachableChat(c, err)
	}
	switch slow := time.Duration(info.SlowModeDelay) * time.Second; {
	case slow > 0 && !place.admin: // administrators are exempt
		return gradeWarn.because(fmt.Sprintf("%s: slow mode lets the bot send one message in %v, and questions wait for that", chatTitle(c, info), slow),
			"make it an administrator of the group, or switch slow mode off")
	case !place.documents:
		return gradeWarn.because(chatTitle(c, info)+": the bot may not send files there, and what is long comes as a file",
			"allow it to send files, or make it an administrator of the group")
	case d.config.Topics && c.Topic == 0:
		return d.checkTopics(c, info, place, rights)
	}
	return pass("%s%s", chatTitle(c, info), rights)
}

// noMessage is the id of a message that no chat has: the highest that there can be.
const noMessage = math.MaxInt32

// probeTopic asks for what cannot be sent, to learn whether the topic is there: typing
// does not tell, as Telegram looks no topic up for it (Bot API server, Client.cpp:13440).
// A message that replies to none is not sent (Bot API ReplyParameters,
// allow_sending_without_reply), and the topic is looked up before the reply is
// (check_reply_parameters, Client.cpp:8473). Whether the topic is closed stays open.
func (d *Doctor) probeTopic(ctx context.Context, c config.Chat) *botapi.Error {
	if botapi.Thread(c.Topic) == 0 {
		return nil
	}
	_, err := d.bot.SendMessage(ctx, &tg.SendMessageParams{
		ChatID: int64(c.ID), MessageThreadID: botapi.Thread(c.Topic), DisableNotification: true,
		Text:            "Test message from hermes doctor: questions of your agents will reach you here. There is nothing to answer.",
		ReplyParameters: &models.ReplyParameters{MessageID: noMessage},
	})
	if f := clients.ErrorOf(err); f != nil && f.Reason != botapi.NoReply {
		return f
	}
	return nil
}

// botRights is what the bot is in a chat, and what it may do there.
type botRights struct {
	member, admin               bool
	messages, documents, topics bool
}

// rightsOf reads the bot's place. Of those who are no administrators, what all members may
// do bounds what each may (Bot API ChatPermissions). In a private chat there are neither.
func rightsOf(bot *models.ChatMember, all *models.ChatPermissions) botRights {
	p := botRights{member: true, messages: true, documents: true}
	if bot == nil {
		return p
	}
	p.admin = bot.Owner != nil || bot.Administrator != nil
	p.topics = bot.Administrator != nil && bot.Administrator.CanManageTopics
	p.member = bot.Left == nil && bot.Banned == nil
	if r := bot.Restricted; r != nil {
		p.member, p.messages, p.documents = r.IsMember, r.CanSendMessages, r.CanSendDocuments
	}
	if all != nil && !p.admin {
		p.messages, p.documents = p.messages && all.CanSendMessages, p.documents && all.CanSendDocuments
	}
	return p
}

// checkTopics says why sessions get no topics of their own. Their questions come all
// the same.
func (d *Doctor) checkTopics(c config.Chat, info *models.ChatFullInfo, bot botRights, rights string) result {
	switch {
	case c.ID > 0 && !d.me().HasTopicsEnabled:
		return gradeWarn.because(chatTitle(c, info)+": HERMES_TOPICS is on, but the bot has no topics in private chats",
			"switch on topics for the bot in @BotFather, or expect its questions in the chat itself")
	case c.ID < 0 && !info.IsForum:
		return gradeWarn.because(chatTitle(c, info)+": HERMES_TOPICS is on, but the group has no topics",
			"switch topics on in the group, or expect its questions in the chat itself")
	case c.ID < 0 && !bot.topics:
		return gradeWarn.because(chatTitle(c, info)+": HERMES_TOPICS is on, but the bot may not manage topics",
			"make it an administrator of the group with the right to manage topics")
	case c.ID > 0 && !d.me().AllowsUsersToCreateTopics: // whether Telegram then lets the bot make some is disputed
		return pass("%s; sessions get topics, unless Telegram refuses them: if the log has BOT_FORUM_CREATE_FORBIDDEN, let users create topics, in @BotFather", chatTitle(c, info))
	}
	return pass("%s%s; sessions get topics", chatTitle(c, info), rights)
}

// checkGroup returns what is wrong in a group, or words for what the bot may do.
func (d *Doctor) checkGroup(c config.Chat, info *models.ChatFullInfo, bot botRights) (wrong result, words string) {
	switch {
	case !bot.member:
		return gradeFail.because(chatTitle(c, info)+": the bot is not a member", d.addBotRemedy()), ""
	case !bot.messages:
		return gradeFail.because(chatTitle(c, info)+": the bot may not write there",
			"allow it to send messages, or make it an administrator of the group"), ""
	case c.Topic != 0 && !info.IsForum:
		return gradeFail.because(chatTitle(c, info)+fmt.Sprintf(": it has no topics, but topic %d is configured", c.Topic),
			fmt.Sprintf("switch topics on in the group, or write %d without /%d in HERMES_TELEGRAM_CHATS", c.ID, c.Topic)), ""
	case bot.admin:
		return result{}, "the bot is an administrator and reads every message"
	case d.me().CanReadAllGroupMessages:
		return result{}, "the bot reads every message"
	}
	return result{}, "privacy mode is on, so an answer in words must be a reply to the question"
}

// unreachableChat words why nothing can be sent to a chat.
func (d *Doctor) unreachableChat(c config.Chat, f *botapi.Error) result {
	detail := fmt.Sprintf("%d: nothing can be sent there (%s)", c.ID, f.Said())
	switch {
	case f.Reason == botapi.Moved:
		return gradeWarn.because(fmt.Sprintf("%d: the group became a supergroup", c.ID),
			fmt.Sprintf("write %d in its place into HERMES_TELEGRAM_CHATS", f.MovedTo))
	case f.Reason == botapi.Frozen:
		return gradeFail.because(fmt.Sprintf("%d: Telegram has frozen the bot (%s)", c.ID, f.Said()),
			"let the bot's owner look for Telegram's notice and appeal, or make another bot with @BotFather")
	case f.Reason == botapi.TopicGone:
		return gradeFail.because(fmt.Sprintf("%d: it has no open topic %d (%s)", c.ID, c.Topic, f.Said()),
			"take the topic's number from a link to one of its messages (t.me/c/…/TOPIC/…) into HERMES_TELEGRAM_CHATS")
	case f.Reason == botapi.Blocked && c.ID > 0:
		return gradeFail.because(detail, fmt.Sprintf("let this person unblock @%s and press Start", d.me().Username))
	case f.Temporary():
		return gradeFail.because(detail, "try again in a minute")
	case c.ID > 0:
		return gradeFail.because(detail, fmt.Sprintf("a bot cannot write first: let this person open t.me/%s and press Start, or correct the id", d.me().Username))
	}
	return gradeFail.because(detail, d.addBotRemedy())
}

func (d *Doctor) addBotRemedy() string {
	return fmt.Sprintf("add @%s to the group, and check the id in HERMES_TELEGRAM_CHATS (a supergroup's begins with -100)", d.me().Username)
}

// chatTitle is the chat for people. The title is a stranger's text.
func chatTitle(c config.Chat, info *models.ChatFullInfo) string {
	name := info.Title
	if name == "" {
		name = info.FirstName
	}
	text := fmt.Sprintf("%d", c.ID)
	if c.Topic != 0 {
		text += "/" + strconv.Itoa(c.Topic)
	}
	return fmt.Sprintf("%s (%s %q)", text, info.Type, name)
}
