package demo

import (
	"encoding/hex"
	"slices"
	"strconv"

	"hermes/internal/page"
	"hermes/internal/question"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

// viewMessages is a chat as its page shows it.
func viewMessages(all []telegram.Message) []page.Message {
	list := make([]page.Message, 0, len(all))
	for _, m := range all {
		if !m.Deleted {
			list = append(list, viewMessage(m))
		}
	}
	return list
}

func viewMessage(m telegram.Message) page.Message {
	v := page.Message{
		ID: m.ID, Bot: m.FromBot, From: m.From, At: m.Date, Text: m.Text, Prompts: m.ForceReply,
		ReplyTo: m.ReplyTo, Edits: m.Edits, Reaction: m.Reaction, Marks: []page.Mark{}, Keys: [][]page.Key{},
	}
	for _, e := range m.Entities {
		v.Marks = append(v.Marks, page.Mark{Type: e.Type, From: e.Offset, Length: e.Length})
	}
	for _, row := range m.Rows {
		var keys []page.Key
		for _, b := range row {
			keys = append(keys, page.Key{Label: b.Label, Data: b.Data, Style: b.Style})
		}
		v.Keys = append(v.Keys, keys)
	}
	if m.Document != nil {
		v.Document = &page.Document{Name: m.Document.Name, Size: len(m.Document.Data)}
	}
	return v
}

// lastAlerts are a person's latest alerts: the page needs those to its own taps.
func lastAlerts(all []telegram.Alert, user int64) []page.Alert {
	list := []page.Alert{}
	for _, a := range all {
		if a.User == user {
			list = append(list, page.Alert{Callback: a.Callback, Text: a.Text, Box: a.ShowAlert})
		}
	}
	return slices.Clone(list[max(0, len(list)-20):])
}

func viewThread(t question.Thread) page.Thread {
	return page.Thread{ID: string(t.ID), Title: threadTitle(t), Project: t.Project, State: threadState(t)}
}

func threadTitle(t question.Thread) page.Line {
	if p := t.Request.Permission; p != nil {
		return page.Line{Text: "Permission: {0}", Args: []string{p.Kind}}
	}
	if items := t.Request.Items; len(items) > 0 && items[0].Header != "" {
		return page.Line{Text: "{0}", Args: []string{items[0].Header}}
	}
	return page.Line{Text: "Question"}
}

// threadState is what is owed, in words.
func threadState(t question.Thread) page.Line {
	switch {
	case t.Outcome != nil:
		return page.Line{Text: "settled, the chats are being told"}
	case t.IsHeld():
		return page.Line{Text: "decided, can be taken back until {0}", Args: []string{t.Held.Until.Local().Format("15:04:05")}}
	case t.Decision != nil && t.Away:
		return page.Line{Text: "decided, waits for OpenCode"}
	case t.Decision != nil:
		return page.Line{Text: "decided, on its way to OpenCode"}
	case t.Away:
		return page.Line{Text: "open, waits for OpenCode"}
	case !t.Shown():
		return page.Line{Text: "open, not on the phones yet"}
	case len(t.Votes) > 0:
		return page.Line{Text: "open, {0} of {1} approvals", Args: []string{strconv.Itoa(len(t.Votes)), strconv.Itoa(t.Needs)}}
	case t.Deadline.IsZero():
		return page.Line{Text: "open"}
	}
	return page.Line{Text: "open until {0}", Args: []string{t.Deadline.Local().Format("15:04:05")}}
}

func viewLine(l pending.Line) page.Entry {
	e := l.Entry
	by := e.By.Name
	if by == "" {
		by = string(e.By.Kind)
	}
	detail := e.Detail
	if len(e.Answers) > 0 {
		detail = inJSON(e.Answers)
	}
	return page.Entry{
		Number: l.Number, At: e.At, Kind: string(e.Kind), Thread: string(e.Thread), By: by, Detail: detail,
		Hash: hex.EncodeToString(l.Hash[:4]),
	}
}
