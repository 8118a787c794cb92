package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// teamLines tells who has approved so far, who may answer, and who is on it.
func (f frame) teamLines() markup.Text {
	lines := f.approvals()
	if f.Watches {
		lines = append([]markup.Text{markup.Plain(f.w.Team.Watching)}, lines...)
	}
	if f.Claim != nil {
		lines = append(lines, markup.Phrase(f.w.Team.OnIt, personName(f.Claim.By), markup.Clock(f.Claim.Until, f.now)))
	}
	return markup.Join("\n", lines...)
}

// approvals tells who has approved so far, how many it needs, and of whom. The rules may have
// been exchanged for some that need no more than there are.
func (f frame) approvals() []markup.Text {
	n, left := len(f.Votes), f.stillToAnswer()
	approved := markup.Plain(fmt.Sprintf(f.w.Team.Approved, n, f.Needs, f.approvers()))
	switch {
	case n == 0 && f.Needs > 1 && left == nil:
		return []markup.Text{markup.Plain(fmt.Sprintf(f.w.Team.Needs, f.Needs))}
	case n == 0 && f.Needs > 1:
		return []markup.Text{f.ofThese(f.w.Team.NeedsOf, f.Needs, left)}
	case n == 0 && left == nil:
		return nil
	case n == 0:
		return []markup.Text{markup.Phrase(f.w.Team.MayAnswer, left)}
	case n < f.Needs && left == nil:
		return []markup.Text{approved}
	case n < f.Needs:
		return []markup.Text{approved, f.ofThese(f.w.Team.MoreFrom, f.Needs-n, left)}
	}
	return []markup.Text{approved, markup.Plain(f.w.Team.NextTap)}
}

// ofThese fills a format with a number, and then with names.
func (f frame) ofThese(format string, n int, names markup.Text) markup.Text {
	return markup.Phrase(strings.Replace(format, "%d", strconv.Itoa(n), 1), names)
}

// namedOfTeam is how many of those who may answer are named.
const namedOfTeam = 10

// stillToAnswer names those who may answer and have not approved yet; nil: everybody may.
func (f frame) stillToAnswer() (names markup.Text) {
	left := slices.DeleteFunc(slices.Clone(f.May), func(a question.Actor) bool {
		return slices.ContainsFunc(f.Votes, func(v question.Vote) bool { return v.By.User == a.User })
	})
	for i, a := range left[:min(len(left), namedOfTeam)] {
		if i > 0 {
			names = append(names, markup.Span{Text: f.w.Comma})
		}
		name := personName(a)
		if f.Mentions {
			name[0].Mention = a.User
		}
		names = append(names, name...)
	}
	if more := len(left) - namedOfTeam; more > 0 {
		names = append(names, markup.Span{Text: " +" + strconv.Itoa(more)})
	}
	return names
}

// approvers names those who have approved.
func (f frame) approvers() string {
	var names []string
	for _, v := range f.Votes {
		names = append(names, personName(v.By).String())
	}
	return strings.Join(names, f.w.Comma)
}

// escalation says that further chats were asked, and why.
func (f frame) escalation() markup.Text {
	if len(f.Votes) > 0 {
		return markup.Plain(f.w.Team.MoreOf)
	}
	return markup.Plain(f.w.Team.Escalated)
}

// tooFewInTime says that the deadline came before there were enough approvals, or before
// anybody tapped where the rules ask for fewer.
func (f frame) tooFewInTime() markup.Text {
	unsent, enough := f.w.Team.Unsent, f.w.Team.Enough
	if f.Request.Protocol.EndsTurns() {
		unsent, enough = f.w.Team.UnsentEnds, f.w.Team.EnoughEnds
	}
	if len(f.Votes) >= f.Needs {
		return markup.Plain(fmt.Sprintf(unsent, f.w.Duration(f.TTL)))
	}
	return markup.Plain(fmt.Sprintf(enough, len(f.Votes), f.Needs, f.w.Duration(f.TTL)))
}

// claimedBy says who is on it, and until when.
func claimedBy(c *question.Claim, w words.Table, now time.Time) string {
	if c == nil {
		return w.NoSuch
	}
	return markup.Phrase(w.Team.AlertClaimed, personName(c.By), markup.Plain(markup.TimeOfDay(c.Until, now))).String()
}

// ownerLine says whose agent asks, and on which machine; nothing for nobody's in particular.
func ownerLine(o question.Owner) markup.Text {
	if o.ID == 0 {
		return nil
	}
	return markup.Join(" · ", personName(question.Actor{Name: o.Name, User: o.ID}), markup.Plain(markup.Isolate(markup.Shorten(markup.OneLine(o.Link), 63))))
}

// takenText says that an ask is not for a chat any more, as its machine belongs to somebody else, or to nobody.
func takenText(owned bool, w words.Table) string {
	if owned {
		return w.Team.Taken
	}
	return w.Team.Freed
}

// LinkCode tells a person what to run on a machine of theirs: it gives the code, and gets a link at that address.
func LinkCode(url string, code secret.Text, valid time.Duration) Text {
	return func(r Reader) Body {
		w, given := r.Words.Machines, "--url "+url+" --code "+code.Reveal()
		return textMessage(markup.Join("\n",
			markup.Plain("🔗 "+fmt.Sprintf(w.Paste, r.Words.Duration(valid))),
			command("hermes plugin install "+given),
			markup.Plain(w.Service),
			command("hermes link run "+given),
		))
	}
}

// LinkInPrivate says that codes are given in private.
func LinkInPrivate() Line {
	return line("🔒", func(w words.Table) string { return w.Machines.Private })
}

// NoLinkURL says that hermes does not know where machines reach it.
func NoLinkURL() Line { return line("❗", func(w words.Table) string { return w.Machines.NoURL }) }

// MachineLinked tells a person that a machine has used their code for a link of this name. host is what the machine calls itself.
func MachineLinked(name, host string) Text {
	return func(r Reader) Body {
		w := r.Words.Machines
		return textMessage(markup.Join("\n",
			markup.Plain("🔗 "+fmt.Sprintf(w.Linked, name)),
			markup.Plain(fmt.Sprintf(w.Host, letters.Escaped(markup.OneLine(host)))),
			markup.Plain(w.Revoke),
			command("hermes link revoke "+name),
		))
	}
}

// command is a command line, which a tap copies.
func command(line string) markup.Text { return markup.Text{{Text: line, Code: "bash"}} }
