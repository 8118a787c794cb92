package ui

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/telegram/callback"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Stale answers a tap on an older step of an ask.
func Stale() Line { return line("", func(w words.Table) string { return w.Stale }) }

// NoSuchAsk answers a tap on a button of which nothing is known.
func NoSuchAsk() Line { return line("", func(w words.Table) string { return w.NoSuch }) }

// Stranger answers a tap of somebody who is not on the list.
func Stranger() Line { return line("", func(w words.Table) string { return w.Stranger }) }

// NotPartly says that a chat which cannot show all that a permission is for cannot allow it.
func NotPartly() Line { return line("", func(w words.Table) string { return w.Permission.TooLongAsk }) }

// Voted says that somebody has approved already: so many have, of those that it needs.
func Voted(votes, needs int) Line {
	return line("", func(w words.Table) string { return fmt.Sprintf(w.Team.AlertVoted, votes, needs) })
}

// LacksRoles says that somebody may not let anybody in with these roles, as they lack one.
func LacksRoles(roles []string) Line {
	return line("", func(w words.Table) string { return fmt.Sprintf(w.Admission.LetInTakes, strings.Join(roles, w.Comma)) })
}

// AlreadySent says that a text went to a session before.
func AlreadySent() Line { return line("", func(w words.Table) string { return w.Unsent.Already }) }

// NotKept says that a text is not kept, or not any more.
func NotKept() Line { return line("", func(w words.Table) string { return w.Unsent.NoText }) }

// NotWriter says that somebody else wrote the text.
func NotWriter() Line { return line("", func(w words.Table) string { return w.Unsent.NotTheirs }) }

// NoRole says that somebody who is known may answer nothing. The roles are those that may; none: any.
func NoRole(roles []string) Line {
	return line("🔒", func(w words.Table) string {
		if len(roles) == 0 {
			return w.NoRole
		}
		return fmt.Sprintf(w.NoRoleOf, strings.Join(roles, w.Comma))
	})
}

// WrongRole says that somebody may not answer this, but those who have one of the roles.
func WrongRole(roles []string) Line {
	return line("🔒", func(w words.Table) string {
		if len(roles) == 0 {
			return w.NoRole
		}
		return fmt.Sprintf(w.WrongRole, strings.Join(roles, w.Comma))
	})
}

// NotOwner says that only the person may answer whose agent asks.
func NotOwner(o question.Owner) Line {
	return line("🔒", func(w words.Table) string {
		return markup.Phrase(w.Team.NotOwner, personName(question.Actor{Name: o.Name, User: o.ID})).String()
	})
}

// OwnAgent says that others have to answer what a person's own agent asks.
func OwnAgent() Line { return line("🔒", func(w words.Table) string { return w.Team.OwnAgent }) }

// Taken says that an ask is not for a chat any more, as its machine belongs to somebody else by now, or to nobody.
func Taken(now question.Owner) Line {
	return line("🔒", func(w words.Table) string { return takenText(now.ID != 0, w) })
}

// Claimed says that somebody else is on it.
func Claimed(c *question.Claim) Line {
	return func(r Reader) (string, string) { return "🙋", claimedBy(c, r.Words, r.Now) }
}

// NotTaken says why an answer was not taken.
func NotTaken(n question.Notice, of question.Request) Line {
	return line("❗", func(w words.Table) string { return noticeText(n, of, w) })
}

// HowItStands says what became of an ask that takes no answers.
func HowItStands(v question.View) Line {
	return func(r Reader) (string, string) {
		s := newFrame(r.view(v), r.Words, r.Now)
		if s.Request.Admission != nil {
			return "🚪", s.latestLine()
		}
		return s.sign(), s.latestLine()
	}
}

// NoPromptEither says what became of an ask, to somebody who may not prompt its session.
func NoPromptEither(v question.View) Text {
	return func(r Reader) Body {
		end := HowItStands(v).Text()(r)
		if v.Request.Admission != nil {
			return end
		}
		return textMessage(markup.Join("\n", end.Parts[0], markup.Plain(r.Words.Unsent.NoDriver)))
	}
}

// Reminder says that an ask still waits.
func Reminder(v question.View) Text {
	return func(r Reader) Body {
		s := newFrame(r.view(v), r.Words, r.Now)
		return textMessage(markup.Join("\n", s.reminderLine(), s.foot()))
	}
}

// NothingAsked says that no question is open.
func NothingAsked() Line { return line("💤", func(w words.Table) string { return w.Nothing }) }

// WhichAsk says that it is not clear which question a text is for.
func WhichAsk() Line { return line("❓", func(w words.Table) string { return w.Which }) }

// Greeting greets a person who may answer.
func Greeting(u chat.User) Line {
	return line("👋", func(w words.Table) string { return fmt.Sprintf(w.Greeting, userName(u)) })
}

// Elsewhere greets them in a chat that gets no questions.
func Elsewhere(u chat.User) Line {
	return line("👋", func(w words.Table) string { return fmt.Sprintf(w.Elsewhere, userName(u)) })
}

func userName(u chat.User) string {
	return personName(question.Actor{Name: u.Name, User: u.ID}).String()
}

// StrangersID tells a stranger what is needed to let them in.
func StrangersID(u chat.UserID, in chat.ID) Line {
	return line("🔒", func(w words.Table) string {
		return fmt.Sprintf(w.StrangerHi, strconv.FormatInt(int64(u), 10), strconv.FormatInt(int64(in), 10))
	})
}

// Unsigned says that a text does not count, as nobody can tell whose it is.
func Unsigned() Line { return line("🔒", func(w words.Table) string { return w.Team.Unsigned }) }

// FileNoAnswer says that a photo, a file or the like is no answer.
func FileNoAnswer() Line { return line("❗", func(w words.Table) string { return w.Files.NoAnswer }) }

// MovedOn says that a text replies to the reply box of another step.
func MovedOn() Line { return line("❗", func(w words.Table) string { return w.MovedOn }) }

// UnknownBox says that nobody can tell what the reply box was for that a text replies to.
func UnknownBox() Line { return line("❗", func(w words.Table) string { return w.NoBox }) }

// Forwarded says that a message does not count, as it is not the person's own.
func Forwarded() Line { return line("❗", func(w words.Table) string { return w.Intake.Forwarded }) }

// Paced says that some of what a person asks for is not answered for a while.
func Paced() Line { return line("⏳", func(w words.Table) string { return w.Intake.Paced }) }

// NotHere says that sessions are not steered in this chat.
func NotHere() Line { return line("🔒", func(w words.Table) string { return w.Intake.NotHere }) }

// NotYours says that a session is on another person's machine.
func NotYours() Line { return line("🔒", func(w words.Table) string { return w.Intake.NotYours }) }

// ReplyBox is the message that opens a reply box, and what stands in that while it is empty. It says which question the box is for and,
// in a group, whose box it is: there Telegram opens it for those alone whom the text mentions (Bot API ForceReply.selective).
func ReplyBox(asked question.View, u chat.User, inGroup, inTopic bool, r Reader) (text markup.Text, placeholder string) {
	v, w := newFrame(asked, r.Words, r.Now), r.Words
	say, placeholder, header := w.Reply, w.Holder, v.name()
	switch {
	case v.Request.Permission != nil:
		say, placeholder = w.Permission.Reply, w.Permission.Holder
	case v.Wizard.Step < len(v.Request.Items):
		header = v.itemName(v.Wizard.Step)
	}
	line := markup.Plain(say)
	if inGroup {
		line = append(markup.Text{{Text: userName(u), Mention: u.ID}, {Text: w.Colon}}, line...)
	}
	lines := []markup.Text{v.headline(callback.ReplyBoxSign, header), line}
	if inGroup && inTopic {
		lines = append(lines, markup.Plain(w.NoBoxOpens))
	}
	return markup.Join("\n", lines...), placeholder
}
