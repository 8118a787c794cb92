package inbound

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Button is what a button that is about sessions asks for.
type Button struct {
	Kind    ButtonKind
	Session session.ID    // ButtonUse, ButtonSend, ButtonStop, ButtonKeep, and of agents and models
	Page    int           // ButtonPage, ButtonAgents, ButtonModels, from 0
	At      time.Time     // ButtonStop, ButtonUnlink: when it was asked about, in whole seconds
	Update  chat.UpdateID // ButtonAnswer, ButtonCommand: the text in doubt
	Folder  string        // ButtonNew: the Tag of its directory
	Tag     string        // ButtonAgent, ButtonModel: of the name, and of links: of the id, as session.ShortTag has it
	Level   string        // ButtonLevel: the level's word
	Thread  question.ID   // ButtonLate
}

// ButtonKind is the closed set of orders.
type ButtonKind string

const (
	ButtonUse     ButtonKind = "use"     // text goes to the session from now on
	ButtonNew     ButtonKind = "new"     // make a session
	ButtonPage    ButtonKind = "page"    // another page of the list
	ButtonStop    ButtonKind = "stop"    // the session, for good
	ButtonKeep    ButtonKind = "keep"    // do not stop it
	ButtonAgent   ButtonKind = "agent"   // prompt the session with this agent from now on; an empty name: as it was last
	ButtonModel   ButtonKind = "model"   // the same of a model
	ButtonAgents  ButtonKind = "agents"  // another page of the agents there are
	ButtonModels  ButtonKind = "models"  // the same of models
	ButtonLevel   ButtonKind = "level"   // what the chat hears from now on
	ButtonAnswer  ButtonKind = "answer"  // the text in doubt is an answer
	ButtonCommand ButtonKind = "command" // it is a command
	ButtonSend    ButtonKind = "send"    // the text that the message asks about goes to the session
	ButtonSay     ButtonKind = "say"     // what was heard is the answer
	ButtonUnsay   ButtonKind = "unsay"   // it is not: who spoke types instead
	ButtonUnlinks ButtonKind = "unlinks" // ask whether the link of one of the person's machines shall be revoked
	ButtonUnlink  ButtonKind = "unlink"  // revoke it
	ButtonLinked  ButtonKind = "linked"  // leave it
	ButtonLate    ButtonKind = "late"    // the answer that the agent never got goes to its session as a prompt
)
