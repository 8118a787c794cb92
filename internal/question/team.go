package question

import (
	"encoding/json"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/session"
)

// Vote is one person's approval of a permission that several must approve. It stands
// until the ask ends.
type Vote struct {
	By      Actor     `json:"by"`
	Answers Answers   `json:"answers,omitzero"` // once or always
	At      time.Time `json:"at,omitzero"`
}

// Claim says that somebody is on it.
type Claim struct {
	By    Actor     `json:"by"`
	Until time.Time `json:"until,omitzero"`
}

// Escalation is a further place that gets an ask which nobody has answered by then.
type Escalation struct {
	At    time.Time `json:"at,omitzero"`
	Cards []Card    `json:"cards,omitzero"` // of chats and topics; nothing else of them is set
}

// Voted reports whether the person has approved already.
func (t Thread) Voted(id chat.UserID) bool {
	return slices.ContainsFunc(t.Votes, func(v Vote) bool { return v.By.User == id })
}

// Together is what all votes allow: always, if everybody said so, else once.
func Together(votes []Vote) Answers {
	always := Answers{{Always}}
	for _, v := range votes {
		if !v.Answers.Equal(always) {
			return Answers{{Once}}
		}
	}
	return always
}

// Deciders are those whose decision the outcome is: everybody who approved, where that
// took several; only when there is an outcome.
func (v View) Deciders() []Actor {
	by, d := v.Outcome.By, v.Decision
	own := d != nil && !d.Reject && d.By == by && by.Kind == Person && v.Outcome.Along == ""
	if !own || len(v.Votes) == 0 {
		return []Actor{by}
	}
	var all []Actor
	for _, vote := range v.Votes {
		all = append(all, vote.By)
	}
	return all
}

// Unvoted is the wizard after an approval that is not the last one needed: the same
// buttons as before, and if they were others, under a new revision.
func (w Wizard) Unvoted(before Wizard) Wizard {
	before.Notice = Notice{}
	if before.Step == StepGrant {
		return before
	}
	before.Choices = nil
	before.goTo(StepGrant)
	return before
}

// Owner is the person whose agent asks: the one to whom the link belongs that it came over. What it asks is
// for them alone unless a rule says otherwise.
type Owner struct {
	ID   chat.UserID `json:"id,omitzero"`   // 0: nobody's in particular
	Name string      `json:"name,omitzero"` // as the rules have it; empty: they have none
	Link string      `json:"link,omitzero"` // the link's name
}

// Actor is who did something.
type Actor struct {
	Kind ActorKind   `json:"kind,omitzero"`
	User chat.UserID `json:"user,omitzero"` // Person only
	Name string      `json:"name,omitzero"` // Person: as Telegram named them then; API: what the caller said
	Chat chat.ID     `json:"chat,omitzero"`

	// Token names the token that the action came by: [APIToken], or "link " and the name of a
	// link; empty: by none, or it was before that was noted.
	Token string `json:"token,omitzero"`
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

// Admission is about somebody who waits to be let in, or was removed. Hermes asks it
// itself: it has neither Items nor a Permission, no rule looks at it, and no program
// answers it. It is decided with [LetIn], or by a rejection; of one that was removed
// nothing is left to decide.
type Admission struct {
	chat.User           // as Telegram named them when they opened the link
	Name      string    `json:"name,omitzero"`  // that the invitation gives them; empty: as Telegram names them
	Roles     []string  `json:"roles,omitzero"` // that it gives them; letting in takes all of these
	Chat      chat.ID   `json:"chat,omitzero"`  // where the link was opened, or the group that was removed
	Title     string    `json:"title,omitzero"` // of the group
	Made      time.Time `json:"made,omitzero"`  // the invitation

	Group   bool `json:"group,omitzero"` // the group is to get questions, or did; and the person is to answer, unless they may already
	Waits   bool `json:"waits,omitzero"` // Chat shows that they wait, and decides nothing
	Removed bool `json:"removed,omitzero"`
}

// LetIn is the answer to an Admission.
const LetIn = "let in"

// MarshalJSON writes what Telegram calls the person as "called": the invitation's word is the "name".
func (a Admission) MarshalJSON() ([]byte, error) {
	type fields Admission
	return json.Marshal(struct {
		fields
		Called string `json:"called,omitzero"`
	}{fields(a), a.User.Name})
}

func (a *Admission) UnmarshalJSON(b []byte) error {
	type fields Admission
	var stored struct {
		fields
		Called string `json:"called"`
	}
	err := json.Unmarshal(b, &stored)
	*a = Admission(stored.fields)
	a.User.Name = stored.Called
	return err
}
