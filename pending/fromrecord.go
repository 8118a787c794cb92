package pending

import (
	"time"

	"hermes/internal/question"
)

func (r record) thread() question.Thread {
	return question.Thread{
		ID: question.ID(r.ID), Request: r.Request.request(), Origins: convert(r.Origins, originRecord.origin),
		Place:   question.Place{Title: string(r.Place.Title), Subagent: string(r.Place.Subagent), Root: question.SessionID(r.Place.Root)},
		Project: string(r.Project), Away: r.Away, AwaySince: r.AwaySince,
		Asked: r.Asked, ShowAt: r.ShowAt, Deadline: r.Deadline,
		TTL: time.Duration(r.TTL), OnExpiry: question.Expiry(r.OnExpiry), Expired: r.Expired, RemindAt: r.RemindAt,
		Wizard: r.Wizard.wizard(), Offline: time.Duration(r.Offline),
		Rev: r.Rev, Cards: convert(r.Cards, cardRecord.card),
		Resolving: r.Resolving.attempts(), CheckAt: r.CheckAt,
		Needs: r.Needs, Votes: convert(r.Votes, voteRecord.vote), ClaimFor: time.Duration(r.ClaimFor),
		Claim:       optional(r.Claim, claimRecord.claim),
		Escalations: convert(r.Escalations, escalationRecord.escalation), Escalated: r.Escalated,
		Leader: question.ID(r.Leader), Equals: convert(r.Equals, func(id text) question.ID { return question.ID(id) }),
		Decision: optional(r.Decision, decisionRecord.decision),
		Delivery: question.Delivery{Attempts: r.Delivery.Attempts.attempts(), Begun: r.Delivery.Begun, SentAt: r.Delivery.SentAt},
		Outcome:  optional(r.Outcome, outcomeRecord.outcome),
		Rule:     string(r.Rule),
		Prefer:   r.Prefer, Ruling: r.Ruling, Announce: r.Announce,
		Late: optional(r.Late, lateRecord.late),
	}
}

func (r requestRecord) request() question.Request {
	return question.Request{
		ID: question.RequestID(r.ID), Protocol: question.Protocol(r.Protocol), Session: question.SessionID(r.Session),
		Message: question.MessageID(r.Message), Call: question.CallID(r.Call), Items: convert(r.Items, itemRecord.item),
		Agent: string(r.Agent), Permission: optional(r.Permission, permissionRecord.permission),
		Context: string(r.Context), Digest: string(r.Digest),
		Admission: optional(r.Admission, admissionRecord.admission),
	}
}

func (r admissionRecord) admission() question.Admission {
	return question.Admission{
		User: question.User{ID: question.UserID(r.User), Name: string(r.Called), Username: string(r.Username), Lang: string(r.Lang)},
		Name: string(r.Name), Roles: convert(r.Roles, fromText), Chat: question.ChatID(r.Chat), Title: string(r.Title), Made: r.Made,
		Group: r.Group, Waits: r.Waits, Removed: r.Removed,
	}
}

func (r permissionRecord) permission() question.Permission {
	return question.Permission{
		Kind: string(r.Kind), Patterns: convert(r.Patterns, fromText), Always: convert(r.Always, fromText),
		Command: string(r.Command), Diff: string(r.Diff), Details: convert(r.Details, detailRecord.detail),
	}
}

func (r detailRecord) detail() question.Detail {
	return question.Detail{Name: string(r.Name), Text: string(r.Text)}
}

func (r itemRecord) item() question.Item {
	return question.Item{
		Header: string(r.Header), Text: string(r.Text), Options: convert(r.Options, optionRecord.option),
		Multiple: r.Multiple, Custom: r.Custom, ID: string(r.ID),
	}
}

func (r optionRecord) option() question.Option {
	return question.Option{Label: string(r.Label), Description: string(r.Description), ID: string(r.ID), Cancels: r.Cancels, Default: r.Default}
}

func (r originRecord) origin() question.Origin {
	return question.Origin{
		Way: question.Way(r.Way), Process: string(r.Process), Directory: string(r.Directory), Host: string(r.Host),
		Resolved: string(r.Resolved), Token: string(r.Token),
	}
}

func (r wizardRecord) wizard() question.Wizard {
	return question.Wizard{
		State: question.State(r.State), Step: r.Step, Rev: r.Rev, Page: r.Page, Typing: r.Typing,
		Choices: convert(r.Choices, choiceRecord.choice),
		Last: question.Move{
			Action: question.Action(r.Last.Action), Rev: r.Last.Rev, Item: r.Last.Item,
			Option: r.Last.Option, On: r.Last.On, Text: string(r.Last.Text),
		},
		Notice: question.Notice{
			Kind: question.NoticeKind(r.Notice.Kind), Item: r.Notice.Item,
			Options: r.Notice.Options, Text: string(r.Notice.Text),
		},
	}
}

func (r choiceRecord) choice() question.Choice {
	return question.Choice{Options: r.Options, Texts: convert(r.Texts, fromText)}
}

func (r cardRecord) card() question.Card {
	return question.Card{
		Chat: question.ChatID(r.Chat), Topic: r.Topic, Room: r.Room,
		Messages: convert(r.Messages, toPosted), Others: convert(r.Others, toPosted),
		Unsure: r.Unsure, Rev: r.Rev, Tries: r.Tries.attempts(), Lost: string(r.Lost), ShownAt: r.ShownAt,
		Copies: convert(r.Copies, spanRecord.span), Search: r.Search.attempts(),
		Boxes: convert(r.Boxes, boxRecord.box), Unfiled: r.Unfiled,
	}
}

func (r boxRecord) box() question.ReplyBox {
	return question.ReplyBox{
		User: question.User{ID: question.UserID(r.User), Name: string(r.Name), Username: string(r.Username), Lang: string(r.Lang)},
		Item: r.Item, Begun: r.Begun, Message: question.PostedID(r.Message), Over: r.Over, Tries: r.Tries.attempts(),
	}
}

func (r spanRecord) span() question.Span {
	return question.Span{After: question.PostedID(r.After), Before: question.PostedID(r.Before), Likely: r.Likely, Since: r.Since}
}

func (r attemptsRecord) attempts() question.Attempts {
	return question.Attempts{Made: r.Made, Next: r.Next}
}

func (r voteRecord) vote() question.Vote {
	return question.Vote{By: r.By.actor(), Answers: answersFrom(r.Answers), At: r.At}
}

func (r claimRecord) claim() question.Claim {
	return question.Claim{By: r.By.actor(), Until: r.Until}
}

func (r escalationRecord) escalation() question.Escalation {
	return question.Escalation{At: r.At, Cards: convert(r.Cards, cardRecord.card)}
}

func (r decisionRecord) decision() question.Decision {
	return question.Decision{Reject: r.Reject, Note: string(r.Note), Answers: answersFrom(r.Answers), By: r.By.actor(), At: r.At}
}

func (r outcomeRecord) outcome() question.Outcome {
	return question.Outcome{
		Kind: question.OutcomeKind(r.Kind), Note: string(r.Note), Along: question.ID(r.Along), Begun: r.Begun,
		Answers: answersFrom(r.Answers), By: r.By.actor(), At: r.At,
	}
}

func (r lateRecord) late() question.Late {
	return question.Late{
		Errand: question.ID(r.Errand), Answers: answersFrom(r.Answers), By: r.By.actor(), At: r.At, State: question.LateState(r.State),
	}
}

func (r actorRecord) actor() question.Actor {
	return question.Actor{
		Kind: question.ActorKind(r.Kind), User: question.UserID(r.User), Name: string(r.Name), Chat: question.ChatID(r.Chat),
		Token: string(r.Token),
	}
}

func answersFrom(lists [][]text) question.Answers {
	return convert(lists, func(list []text) []string { return convert(list, fromText) })
}

func (r chatRecord) chat() question.Chat {
	return question.Chat{
		ID: question.ChatID(r.ID), Lang: string(r.Lang), MovedTo: question.ChatID(r.MovedTo),
		Blocked: r.Blocked, Hinted: r.Hinted, Greeted: r.Greeted, Seen: r.Seen,
	}
}

func (r entryRecord) entry() question.Entry {
	return question.Entry{
		At: r.At, Kind: question.EntryKind(r.Kind), Thread: question.ID(r.Thread), Request: question.RequestID(r.Request),
		Session: question.SessionID(r.Session), By: r.By.actor(), Answers: answersFrom(r.Answers), Detail: string(r.Detail),
		Rule: string(r.Rule), Note: string(r.Note),
	}
}

func fromText(t text) string            { return string(t) }
func toPosted(id int) question.PostedID { return question.PostedID(id) }
