package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// chatInfo is the part of Bot API getChat that matters here.
type chatInfo struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	FirstName   string `json:"first_name"`
	Forum       bool   `json:"is_forum"`
	Permissions *struct {
		Send *bool `json:"can_send_messages"`
	} `json:"permissions"`
}

// memberInfo is the part of Bot API getChatMember that matters here.
type memberInfo struct {
	Status string `json:"status"`
	Send   *bool  `json:"can_send_messages"` // of a restricted member
	Topics bool   `json:"can_manage_topics"` // of an administrator
}

// chatExams look at every chat that gets questions.
func (d *doctor) chatExams() []exam {
	if len(d.config.TelegramChats) == 0 {
		return []exam{known("chat", skipped("no chat is configured"))}
	}
	var exams []exam
	for _, c := range d.config.TelegramChats {
		exams = append(exams, exam{"chat", one(func(ctx context.Context) diagnosis { return d.examChat(ctx, c) })})
	}
	return exams
}

// examChat asks for the chat and the bot's place in it, and then shows "typing…"
// there: that is the only call that proves, without a message, that the bot may write.
func (d *doctor) examChat(ctx context.Context, c chat) diagnosis {
	if !d.me().good() {
		return skipped("%d: Telegram does not take the token", c.ID)
	}
	id := map[string]any{"chat_id": c.ID}
	var info chatInfo
	if _, err := d.bot.call(ctx, "getChat", id, &info); err != nil {
		return d.unreachable(c, faultOf(err))
	}
	rights := ""
	var bot memberInfo
	if c.ID < 0 {
		wrong, words := d.examGroup(ctx, c, info, &bot)
		if wrong.Status != "" {
			return wrong
		}
		rights = ": " + words
	}
	typing := map[string]any{"chat_id": c.ID, "action": "typing"}
	if c.Topic > 1 { // General is not named (Bot API)
		typing["message_thread_id"] = c.Topic
	}
	if _, err := d.bot.call(ctx, "sendChatAction", typing, nil); err != nil {
		return d.unreachable(c, faultOf(err))
	}
	if d.config.Topics && c.Topic == 0 {
		return d.examTopics(c, info, bot, rights)
	}
	return sane("%s%s", c.named(info), rights)
}

// examTopics says why sessions get no topics of their own. Their questions come all
// the same.
func (d *doctor) examTopics(c chat, info chatInfo, bot memberInfo, rights string) diagnosis {
	switch {
	case c.ID > 0 && !d.me().Topics:
		return gradeWarn.because(c.named(info)+": HERMES_TOPICS is on, but the bot has no topics in private chats",
			"switch on topics for the bot in @BotFather, or expect its questions in the chat itself")
	case c.ID < 0 && !info.Forum:
		return gradeWarn.because(c.named(info)+": HERMES_TOPICS is on, but the group has no topics",
			"switch topics on in the group, or expect its questions in the chat itself")
	case c.ID < 0 && !bot.Topics:
		return gradeWarn.because(c.named(info)+": HERMES_TOPICS is on, but the bot may not manage topics",
			"make it an administrator of the group with the right to manage topics")
	}
	return sane("%s%s; sessions get topics", c.named(info), rights)
}

// examGroup returns what is wrong in a group, or words for what the bot may do, and
// fills in what it is there.
func (d *doctor) examGroup(ctx context.Context, c chat, info chatInfo, bot *memberInfo) (wrong diagnosis, words string) {
	ask := map[string]any{"chat_id": c.ID, "user_id": d.me().ID}
	if _, err := d.bot.call(ctx, "getChatMember", ask, bot); err != nil {
		return d.unreachable(c, faultOf(err)), ""
	}
	admin := bot.Status == "administrator" || bot.Status == "creator"
	muted := bot.Send != nil && !*bot.Send ||
		!admin && info.Permissions != nil && info.Permissions.Send != nil && !*info.Permissions.Send
	switch {
	case bot.Status == "left" || bot.Status == "kicked":
		return gradeFail.because(c.named(info)+": the bot is not a member", d.addBot()), ""
	case muted:
		return gradeFail.because(c.named(info)+": the bot may not write there",
			"allow it to send messages, or make it an administrator of the group"), ""
	case c.Topic != 0 && !info.Forum:
		return gradeFail.because(c.named(info)+fmt.Sprintf(": it has no topics, but topic %d is configured", c.Topic),
			fmt.Sprintf("switch topics on in the group, or write %d without /%d in HERMES_TELEGRAM_CHATS", c.ID, c.Topic)), ""
	case admin:
		return diagnosis{}, "the bot is an administrator and reads every message"
	case d.me().ReadsAll:
		return diagnosis{}, "the bot reads every message"
	}
	return diagnosis{}, "privacy mode is on, so an answer in words must be a reply to the question"
}

// unreachable words why nothing can be sent to a chat.
func (d *doctor) unreachable(c chat, f *botFault) diagnosis {
	text := strings.ToLower(f.text)
	detail := fmt.Sprintf("%d: nothing can be sent there (%v)", c.ID, f)
	switch {
	case f.moved != 0:
		return gradeWarn.because(fmt.Sprintf("%d: the group became a supergroup", c.ID),
			fmt.Sprintf("write %d in its place into HERMES_TELEGRAM_CHATS", f.moved))
	case strings.Contains(text, "thread not found") || strings.Contains(text, "topic"):
		return gradeFail.because(fmt.Sprintf("%d: it has no open topic %d", c.ID, c.Topic),
			"take the topic's number from a link to one of its messages (t.me/c/…/TOPIC/…) into HERMES_TELEGRAM_CHATS")
	case f.code == 403 && c.ID > 0:
		return gradeFail.because(detail, fmt.Sprintf("let this person unblock @%s and press Start", d.me().Username))
	case f.code == 0 || f.code == 429 || f.code >= 500:
		return gradeFail.because(detail, "try again in a minute")
	case c.ID > 0:
		return gradeFail.because(detail, fmt.Sprintf("a bot cannot write first: let this person open t.me/%s and press Start, or correct the id", d.me().Username))
	}
	return gradeFail.because(detail, d.addBot())
}

func (d *doctor) addBot() string {
	return fmt.Sprintf("add @%s to the group, and check the id in HERMES_TELEGRAM_CHATS (a supergroup's begins with -100)", d.me().Username)
}

// named is the chat for people. The title is a stranger's text.
func (c chat) named(info chatInfo) string {
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
