package card

import (
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// ownerLine says whose agent asks, and on which machine; nothing for nobody's in particular.
func ownerLine(o question.Owner) markup.Text {
	if o.ID == 0 {
		return nil
	}
	return markup.Join(" · ", personName(question.Actor{Name: o.Name, User: o.ID}), markup.Plain(markup.Isolate(markup.Shorten(markup.OneLine(o.Link), 63))))
}

// notTheirs says why a person may not answer what somebody's agent asks.
func notTheirs(own bool, o question.Owner, w words.Table) string {
	if own {
		return w.Team.OwnAgent
	}
	return markup.Phrase(w.Team.NotOwner, personName(question.Actor{Name: o.Name, User: o.ID})).String()
}

// takenText says that an ask is not for a chat any more, as its machine belongs to somebody else, or to nobody.
func takenText(owned bool, w words.Table) string {
	if owned {
		return w.Team.Taken
	}
	return w.Team.Freed
}
