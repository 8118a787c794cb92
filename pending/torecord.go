package pending

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func threadToRecord(t question.Thread) threadRecord {
	return threadRecord{
		ID: text(t.ID), Request: requestToRecord(t.Request), Origins: convert(t.Origins, originToRecord),
		Place:   placeToRecord(t.Place),
		Project: text(t.Project), Said: text(t.Said), Away: t.Away, AwaySince: utc(t.AwaySince),
		Asked: utc(t.Asked), ShowAt: utc(t.ShowAt), Deadline: utc(t.Deadline),
		TTL: t.TTL, OnExpiry: t.OnExpiry, Expired: t.Expired, RemindAt: convert(t.RemindAt, utc),
		Wizard: wizardToRecord(t.Wizard), Offline: t.Offline,
		Rev: t.Rev, Cards: convert(t.Cards, cardToRecord),
		Resolving: attemptsToRecord(t.Resolving), CheckAt: utc(t.CheckAt),
		Needs: t.Needs, Votes: convert(t.Votes, voteToRecord), ClaimFor: t.ClaimFor,
		Claim:       optional(t.Claim, claimToRecord),
		Escalations: convert(t.Escalations, escalationToRecord), Escalated: t.Escalated,
		Leader: text(t.Leader), Equals: convert(t.Equals, func(id question.ID) text { return text(id) }),
		Decision: optional(t.Decision, decisionToRecord),
		Delivery: deliveryRecord{attemptsToRecord(t.Delivery.Attempts), t.Delivery.Begun, utc(t.Delivery.SentAt), utc(t.Delivery.From)},
		Outcome:  optional(t.Outcome, outcomeToRecord),
		Rule:     text(t.Rule),
		Prefer:   t.Prefer, Ruling: t.Ruling, Announce: t.Announce,
		Late:  optional(t.Late, lateToRecord),
		Held:  optional(t.Held, holdToRecord),
		Owner: ownerRecord{t.Owner.ID, text(t.Owner.Name), text(t.Owner.Link)},
	}
}

func requestToRecord(r question.Request) requestRecord {
	return requestRecord{
		ID: text(r.ID), Protocol: r.Protocol, Session: text(r.Session),
		Message: text(r.Message), Call: text(r.Call), Items: convert(r.Items, itemToRecord),
		Agent: text(r.Agent), Permission: optional(r.Permission, permissionToRecord),
		Context: text(r.Context), Digest: text(r.Digest),
		Admission: optional(r.Admission, admissionToRecord),
		Form:      optional(r.Form, formToRecord),
	}
}

func formToRecord(f question.Form) formRecord {
	return formRecord{text(f.Title), text(f.Kind), text(f.Server)}
}

func admissionToRecord(a question.Admission) admissionRecord {
	return admissionRecord{
		User: a.User.ID, Called: text(a.User.Name), Username: text(a.User.Username), Lang: text(a.User.Lang),
		Name: text(a.Name), Roles: convert(a.Roles, toText), Chat: a.Chat, Title: text(a.Title), Made: utc(a.Made),
		Group: a.Group, Waits: a.Waits, Removed: a.Removed,
	}
}

func permissionToRecord(p question.Permission) permissionRecord {
	return permissionRecord{
		Kind: text(p.Kind), Patterns: convert(p.Patterns, toText), Always: convert(p.Always, toText),
		Command: text(p.Command), Diff: text(p.Diff), Details: convert(p.Details, detailToRecord),
		Files: convert(p.Files, fileChangeToRecord), Links: convert(p.Links, fileLinkToRecord), Unread: p.Unread,
	}
}

func fileChangeToRecord(f question.FileChange) fileChangeRecord {
	return fileChangeRecord{f.Kind, text(f.Path), text(f.To)}
}

func fileLinkToRecord(l question.FileLink) fileLinkRecord {
	return fileLinkRecord{text(l.Path), text(l.Target)}
}

func detailToRecord(d question.Detail) detailRecord { return detailRecord{text(d.Name), text(d.Text)} }

func itemToRecord(i question.Item) itemRecord {
	return itemRecord{
		Header: text(i.Header), Text: text(i.Text), Options: convert(i.Options, optionToRecord),
		Multiple: i.Multiple, Custom: i.Custom, ID: text(i.ID),
		Field: optional(i.Field, fieldToRecord),
	}
}

func fieldToRecord(f fields.Field) fieldRecord {
	return fieldRecord{
		Kind: f.Kind, Required: f.Required, Format: f.Format, Pattern: text(f.Pattern), Min: f.Min, Max: f.Max,
		Default: convert(f.Default, toText), URL: text(f.URL), When: convert(f.When, whenToRecord),
	}
}

func whenToRecord(c fields.When) whenRecord { return whenRecord{text(c.Key), c.Not, text(c.Value)} }

func optionToRecord(o question.Option) optionRecord {
	return optionRecord{text(o.Label), text(o.Description), text(o.ID), o.Cancels, o.Default}
}

func originToRecord(o session.Origin) originRecord {
	return originRecord{o.Way, text(o.Process), text(o.Directory), text(o.Host), text(o.Resolved), text(o.Token)}
}

func placeToRecord(p session.Place) placeRecord {
	return placeRecord{text(p.Title), text(p.Subagent), text(p.Root)}
}

func holdToRecord(h question.Hold) holdRecord {
	return holdRecord{utc(h.Until), wizardToRecord(h.Wizard), convert(h.Votes, voteToRecord)}
}

func wizardToRecord(w question.Wizard) wizardRecord {
	return wizardRecord{
		State: w.State, Step: w.Step, Rev: w.Rev, Page: w.Page, Typing: w.Typing,
		Choices: convert(w.Choices, choiceToRecord),
		Last: moveRecord{
			Action: w.Last.Action, Rev: w.Last.Rev, Item: w.Last.Item,
			Option: w.Last.Option, On: w.Last.On, Text: text(w.Last.Text),
		},
		Notice:     noticeRecord{w.Notice.Kind, w.Notice.Item, w.Notice.Options, text(w.Notice.Text)},
		Dismissing: w.Dismissing, Reviewed: w.Reviewed,
	}
}

func choiceToRecord(c question.Choice) choiceRecord {
	return choiceRecord{c.Options, convert(c.Texts, toText), c.Skipped}
}

func cardToRecord(c question.Card) cardRecord {
	return cardRecord{
		Chat: c.Chat, Topic: c.Topic, Room: c.Room,
		Messages: c.Messages, Others: c.Others,
		Unsure: c.Unsure, Rev: c.Rev, Tries: attemptsToRecord(c.Tries), Lost: text(c.Refused), ShownAt: utc(c.ShownAt),
		Copies: convert(c.Copies, spanToRecord), Search: attemptsToRecord(c.Search),
		Boxes: convert(c.Boxes, boxToRecord), Unfiled: c.Unfiled, Taken: c.Taken,
	}
}

func boxToRecord(b question.ReplyBox) boxRecord {
	return boxRecord{
		User: b.User.ID, Name: text(b.User.Name), Username: text(b.User.Username), Lang: text(b.User.Lang),
		Item: b.Item, Begun: b.Begun, Message: b.Message, Over: b.Over, Tries: attemptsToRecord(b.Tries), Reminder: b.Reminder,
	}
}

func spanToRecord(s chat.Span) spanRecord {
	s.Since = utc(s.Since)
	return spanRecord(s)
}

func attemptsToRecord(a retry.Attempts) attemptsRecord {
	a.Next = utc(a.Next)
	return attemptsRecord(a)
}

func voteToRecord(v question.Vote) voteRecord {
	return voteRecord{actorToRecord(v.By), answersToRecord(v.Answers), utc(v.At)}
}

func claimToRecord(c question.Claim) claimRecord {
	return claimRecord{actorToRecord(c.By), utc(c.Until)}
}

func escalationToRecord(e question.Escalation) escalationRecord {
	return escalationRecord{utc(e.At), convert(e.Cards, cardToRecord)}
}

func decisionToRecord(d question.Decision) decisionRecord {
	return decisionRecord{d.Reject, text(d.Note), answersToRecord(d.Answers), actorToRecord(d.By), utc(d.At), d.Withdrawn}
}

func outcomeToRecord(o question.Outcome) outcomeRecord {
	return outcomeRecord{o.Kind, text(o.Note), text(o.Along), o.Begun, answersToRecord(o.Answers), actorToRecord(o.By), utc(o.At)}
}

func lateToRecord(l question.Late) lateRecord {
	return lateRecord{text(l.Prompt), answersToRecord(l.Answers), actorToRecord(l.By), utc(l.At), l.State}
}

func actorToRecord(a question.Actor) actorRecord {
	return actorRecord{a.Kind, a.User, text(a.Name), a.Chat, text(a.Token)}
}

func answersToRecord(a question.Answers) [][]text {
	return convert(a, func(list []string) []text { return convert(list, toText) })
}

func chatToRecord(c chat.Chat) chatRecord {
	return chatRecord{
		ID: c.ID, Lang: text(c.Lang), MovedTo: c.MovedTo,
		Blocked: c.Blocked, Hinted: c.Hinted, Greeted: c.Greeted, Seen: utc(c.Seen),
	}
}

func entryToRecord(e storage.Entry) entryRecord {
	return entryRecord{
		At: utc(e.At), Kind: e.Kind, Thread: text(e.Thread), Request: text(e.Request),
		Session: text(e.Session), By: actorToRecord(e.By), Answers: answersToRecord(e.Answers), Detail: text(e.Detail), Rule: text(e.Rule), Note: text(e.Note),
	}
}

func toText(s string) text { return text(s) }
func convert[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = f(one)
	}
	return out
}

func optional[A, B any](p *A, f func(A) B) *B {
	if p == nil {
		return nil
	}
	out := f(*p)
	return &out
}

// utc is the same instant without what no file can keep: the zone's name and the
// reading of the monotonic clock.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.Round(0).UTC()
}
