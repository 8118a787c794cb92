package question

import (
	"hermes/internal/chat"
	"hermes/internal/session"
)

// Actor is who did something.
type Actor struct {
	Kind ActorKind
	User chat.UserID // Person only
	Name string      // Person: as Telegram named them then; API: what the caller said
	Chat chat.ID

	// Token names the token that the action came by: [APIToken], or "link " and the name of a
	// link; empty: by none, or it was before that was noted.
	Token string
}

// OverAPI is whoever acts with the HTTP interface's token.
func OverAPI() Actor { return Actor{Kind: Caller, Token: session.APIToken} }

// ActorKind is the closed set of those who may decide. The words are persisted.
type ActorKind string

const (
	Person    ActorKind = "person"   // by tap or text in a chat
	RuleActor ActorKind = "rule"     // a rule of the owner decided; Name is the rule's
	Deadline  ActorKind = "deadline" // nobody answered in time
	Caller    ActorKind = "api"      // over hermes' own HTTP interface
	Terminal  ActorKind = "terminal" // at the machine itself, in the database that no hermes had open
	OpenCode  ActorKind = "opencode" // at OpenCode itself, by whomever
)

// ActorKinds are all of them.
func ActorKinds() []ActorKind {
	return []ActorKind{Person, RuleActor, Deadline, Caller, Terminal, OpenCode}
}
