package pending

import (
	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func (r threadRecord) toThread() question.Thread {
	return question.Thread{
		ID: question.ID(r.ID), Request: r.Request.toRequest(), Origins: convert(r.Origins, originRecord.toOrigin),
		Place:   r.Place.toPlace(),
		Project: string(r.Project), Said: string(r.Said), Away: r.Away, AwaySince: r.AwaySince,
		Asked: r.Asked, ShowAt: r.ShowAt, Deadline: r.Deadline,
		TTL: r.TTL, OnExpiry: r.OnExpiry, Expired: r.Expired, RemindAt: r.RemindAt,
		Wizard: r.Wizard.toWizard(), Offline: r.Offline,
		Rev: r.Rev, Cards: convert(r.Cards, cardRecord.toCard),
		Resolving: r.Resolving.toAttempts(), CheckAt: r.CheckAt,
		Needs: r.Needs, Votes: convert(r.Votes, voteRecord.toVote), ClaimFor: r.ClaimFor,
		Claim:       optional(r.Claim, claimRecord.toClaim),
		Escalations: convert(r.Escalations, escalationRecord.toEscalation), Escalated: r.Escalated,
		Leader: question.ID(r.Leader), Equals: convert(r.Equals, func(id text) question.ID { return question.ID(id) }),
		Decision: optional(r.Decision, decisionRecord.toDecision),
		Delivery: question.Delivery{Attempts: r.Delivery.Attempts.toAttempts(), Begun: r.Delivery.Begun, SentAt: r.Delivery.SentAt, From: r.Delivery.From},
		Outcome:  optional(r.Outcome, outcomeRecord.toOutcome),
		Rule:     string(r.Rule),
		Prefer:   r.Prefer, Ruling: r.Ruling, Announce: r.Announce,
		Late:  optional(r.Late, lateRecord.toLate),
		Held:  optional(r.Held, holdRecord.toHold),
		Owner: question.Owner{ID: r.Owner.ID, Name: string(r.Owner.Name), Link: string(r.Owner.Link)},
	}
}

func (r requestRecord) toRequest() question.Request {
	return question.Request{
		ID: question.RequestID(r.ID), Protocol: r.Protocol, Session: session.ID(r.Session),
		Message: session.MessageID(r.Message), Call: question.CallID(r.Call), Items: convert(r.Items, itemRecord.toItem),
		Agent: string(r.Agent), Permission: optional(r.Permission, permissionRecord.toPermission),
		Context: string(r.Context), Digest: string(r.Digest),
		Admission: optional(r.Admission, admissionRecord.toAdmission),
		Form:      optional(r.Form, formRecord.toForm),
	}
}

func (r formRecord) toForm() question.Form {
	return question.Form{Title: string(r.Title), Kind: string(r.Kind), Server: string(r.Server)}
}

func (r admissionRecord) toAdmission() question.Admission {
	return question.Admission{
		User: chat.User{ID: r.User, Name: string(r.Called), Username: string(r.Username), Lang: string(r.Lang)},
		Name: string(r.Name), Roles: convert(r.Roles, fromText), Chat: r.Chat, Title: string(r.Title), Made: r.Made,
		Group: r.Group, Waits: r.Waits, Removed: r.Removed,
	}
}

func (r permissionRecord) toPermission() question.Permission {
	return question.Permission{
		Kind: string(r.Kind), Patterns: convert(r.Patterns, fromText), Always: convert(r.Always, fromText),
		Command: string(r.Command), Diff: string(r.Diff), Details: convert(r.Details, detailRecord.toDetail),
		Files: convert(r.Files, fileChangeRecord.toFileChange), Links: convert(r.Links, fileLinkRecord.toFileLink), Unread: r.Unread,
	}
}

func (r fileChangeRecord) toFileChange() question.FileChange {
	return question.FileChange{Kind: r.Kind, Path: string(r.Path), To: string(r.To)}
}

func (r fileLinkRecord) toFileLink() question.FileLink {
	return question.FileLink{Path: string(r.Path), Target: string(r.Target)}
}

func (r detailRecord) toDetail() question.Detail {
	return question.Detail{Name: string(r.Name), Text: string(r.Text)}
}

func (r itemRecord) toItem() question.Item {
	return question.Item{
		Header: string(r.Header), Text: string(r.Text), Options: convert(r.Options, optionRecord.toOption),
		Multiple: r.Multiple, Custom: r.Custom, ID: string(r.ID),
		Field: optional(r.Field, fieldRecord.toField),
	}
}

func (r fieldRecord) toField() fields.Field {
	return fields.Field{
		Kind: r.Kind, Required: r.Required, Format: r.Format, Pattern: string(r.Pattern), Min: r.Min, Max: r.Max,
		Default: convert(r.Default, fromText), URL: string(r.URL), When: convert(r.When, whenRecord.toWhen),
	}
}

func (r whenRecord) toWhen() fields.When {
	return fields.When{Key: string(r.Key), Not: r.Not, Value: string(r.Value)}
}

func (r optionRecord) toOption() question.Option {
	return question.Option{Label: string(r.Label), Description: string(r.Description), ID: string(r.ID), Cancels: r.Cancels, Default: r.Default}
}

func (r originRecord) toOrigin() session.Origin {
	return session.Origin{
		Way: r.Way, Process: string(r.Process), Directory: string(r.Directory), Host: string(r.Host),
		Resolved: string(r.Resolved), Token: string(r.Token),
	}
}

func (r placeRecord) toPlace() session.Place {
	return session.Place{Title: string(r.Title), Subagent: string(r.Subagent), Root: session.ID(r.Root)}
}

func (r holdRecord) toHold() question.Hold {
	return question.Hold{Until: r.Until, Wizard: r.Wizard.toWizard(), Votes: convert(r.Votes, voteRecord.toVote)}
}

func (r wizardRecord) toWizard() question.Wizard {
	return question.Wizard{
		State: r.State, Step: r.Step, Rev: r.Rev, Page: r.Page, Typing: r.Typing,
		Choices: convert(r.Choices, choiceRecord.toChoice),
		Last: question.WizardInput{
			Action: r.Last.Action, Rev: r.Last.Rev, Item: r.Last.Item,
			Option: r.Last.Option, On: r.Last.On, Text: string(r.Last.Text),
		},
		Notice: question.Notice{
			Kind: r.Notice.Kind, Item: r.Notice.Item,
			Options: r.Notice.Options, Text: string(r.Notice.Text),
		},
		Dismissing: r.Dismissing, Reviewed: r.Reviewed,
	}
}

func (r choiceRecord) toChoice() question.Choice {
	return question.Choice{Options: r.Options, Texts: convert(r.Texts, fromText), Skipped: r.Skipped}
}

func (r cardRecord) toCard() question.Card {
	return question.Card{
		Chat: r.Chat, Topic: r.Topic, Room: r.Room,
		Messages: r.Messages, Others: r.Others,
		Unsure: r.Unsure, Rev: r.Rev, Tries: r.Tries.toAttempts(), Refused: string(r.Lost), ShownAt: r.ShownAt,
		Copies: convert(r.Copies, spanRecord.toSpan), Search: r.Search.toAttempts(),
		Boxes: convert(r.Boxes, boxRecord.toBox), Unfiled: r.Unfiled, Taken: r.Taken,
	}
}

func (r boxRecord) toBox() question.ReplyBox {
	return question.ReplyBox{
		User: chat.User{ID: r.User, Name: string(r.Name), Username: string(r.Username), Lang: string(r.Lang)},
		Item: r.Item, Begun: r.Begun, Message: r.Message, Over: r.Over, Tries: r.Tries.toAttempts(), Reminder: r.Reminder,
	}
}

func (r spanRecord) toSpan() chat.Span { return chat.Span(r) }

func (r attemptsRecord) toAttempts() retry.Attempts { return retry.Attempts(r) }

func (r voteRecord) toVote() question.Vote {
	return question.Vote{By: r.By.toActor(), Answers: answersFrom(r.Answers), At: r.At}
}

func (r claimRecord) toClaim() question.Claim {
	return question.Claim{By: r.By.toActor(), Until: r.Until}
}

func (r escalationRecord) toEscalation() question.Escalation {
	return question.Escalation{At: r.At, Cards: convert(r.Cards, cardRecord.toCard)}
}

func (r decisionRecord) toDecision() question.Decision {
	return question.Decision{Reject: r.Reject, Note: string(r.Note), Answers: answersFrom(r.Answers), By: r.By.toActor(), At: r.At, Withdrawn: r.Withdrawn}
}

func (r outcomeRecord) toOutcome() question.Outcome {
	return question.Outcome{
		Kind: r.Kind, Note: string(r.Note), Along: question.ID(r.Along), Begun: r.Begun,
		Answers: answersFrom(r.Answers), By: r.By.toActor(), At: r.At,
	}
}

func (r lateRecord) toLate() question.Late {
	return question.Late{
		Prompt: question.ID(r.Errand), Answers: answersFrom(r.Answers), By: r.By.toActor(), At: r.At, State: r.State,
	}
}

func (r actorRecord) toActor() question.Actor {
	return question.Actor{
		Kind: r.Kind, User: r.User, Name: string(r.Name), Chat: r.Chat,
		Token: string(r.Token),
	}
}

func answersFrom(lists [][]text) question.Answers {
	return convert(lists, func(list []text) []string { return convert(list, fromText) })
}

func (r chatRecord) toChat() chat.Chat {
	return chat.Chat{
		ID: r.ID, Lang: string(r.Lang), MovedTo: r.MovedTo,
		Blocked: r.Blocked, Hinted: r.Hinted, Greeted: r.Greeted, Seen: r.Seen,
	}
}

func (r entryRecord) toEntry() storage.Entry {
	return storage.Entry{
		At: r.At, Kind: r.Kind, Thread: question.ID(r.Thread), Request: question.RequestID(r.Request),
		Session: session.ID(r.Session), By: r.By.toActor(), Answers: answersFrom(r.Answers), Detail: string(r.Detail),
		Rule: string(r.Rule), Note: string(r.Note),
	}
}

func fromText(t text) string { return string(t) }
