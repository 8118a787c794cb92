package api

import (
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/chat"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// Wire types of /v1/pair. Fields are only added.
type (
	Invite struct {
		Group bool     `json:"group"`           // add a group too
		Name  string   `json:"name,omitempty"`  // of the person; absent: as Telegram names them
		Roles []string `json:"roles,omitempty"` // that the person gets
	}
	Invitation struct {
		ID    question.ID `json:"id"`
		Link  string      `json:"link,omitempty"` // once, where it is made
		Group bool        `json:"group"`
		Name  string      `json:"name,omitempty"`
		Roles []string    `json:"roles,omitempty"`
		Until time.Time   `json:"until"`

		By []string `json:"confirmed_by,omitempty"` // once, where it is made: those who may let in whoever opens it; absent: nobody may answer yet, and nobody has to
	}
	Guest struct {
		ID         chat.UserID `json:"id"`
		Name       string      `json:"name"`
		Roles      []string    `json:"roles,omitempty"`
		Since      time.Time   `json:"since"`
		Invitation question.ID `json:"invitation"`
		Chat       chat.ID     `json:"chat,omitempty"` // their private chat, if it gets questions
	}
	Group struct {
		ID         chat.ID     `json:"id"`
		By         chat.UserID `json:"by"`
		Since      time.Time   `json:"since"`
		Invitation question.ID `json:"invitation"`
	}
	Waiting struct {
		Invitation question.ID `json:"invitation"`
		ID         chat.UserID `json:"id"`
		Name       string      `json:"name"` // as Telegram names them
		Username   string      `json:"username,omitempty"`
		Roles      []string    `json:"roles,omitempty"`
		Group      chat.ID     `json:"group,omitempty"` // that they want to add
		Until      time.Time   `json:"until"`
	}
	Pairings struct {
		Invitations []Invitation `json:"invitations"` // that are open
		Waiting     []Waiting    `json:"waiting"`     // who have opened one, and are not let in yet
		People      []Guest      `json:"people"`
		Groups      []Group      `json:"groups"`
	}
)

// InvitationOf is an invitation without its code, which is not stored.
func InvitationOf(i storage.Invitation) Invitation {
	return Invitation{ID: i.ID, Group: i.Group, Name: i.Name, Roles: i.Roles, Until: i.Until}
}

// PairingsOf lists who was let in and who is invited; who waits is for the caller to add.
func PairingsOf(p storage.Pairings) Pairings {
	a := Pairings{Invitations: []Invitation{}, Waiting: []Waiting{}, People: []Guest{}, Groups: []Group{}}
	for _, i := range p.Invitations {
		a.Invitations = append(a.Invitations, InvitationOf(i))
	}
	for _, g := range p.Guests {
		a.People = append(a.People, Guest{g.User, g.Name, g.Roles, g.Since, g.Invitation, g.Chat})
	}
	for _, g := range p.Groups {
		a.Groups = append(a.Groups, Group{g.Chat, g.By, g.Since, g.Invitation})
	}
	return a
}

// WaitingOf is a person, or a group, who opened a link and waits to be let in. The thread must have an admission.
func WaitingOf(t question.Thread) Waiting {
	a := t.Request.Admission
	w := Waiting{Invitation: t.ID, ID: a.User.ID, Name: a.User.Name, Username: a.User.Username, Roles: a.Roles, Until: t.Deadline}
	if a.Group {
		w.Group = a.Chat
	}
	return w
}

// ReadInvite reads the body; a fault says what does not fit.
func ReadInvite(body io.Reader) (in Invite, fault string) {
	if err := Decode(body, &in); err != nil {
		return in, `the body must be {"group":false,"name":"Ada","roles":["dev"]}, each of them if it is wanted`
	}
	return in, CheckInvite(in.Name, in.Roles)
}

var roleForm = regexp.MustCompile(`^\S(.*\S)?$`)

// CheckInvite says what is wrong with a name or roles in themselves.
func CheckInvite(name string, roles []string) string {
	if utf8.RuneCountInString(name) > 64 || name != strings.TrimSpace(name) || letters.Escaped(name) != name {
		return "a name has up to 64 characters that can be seen"
	}
	for _, role := range roles {
		if utf8.RuneCountInString(role) > 64 || !roleForm.MatchString(role) || letters.Escaped(role) != role {
			return "a role has 1 to 64 characters that can be seen"
		}
	}
	return ""
}

// LetIn are those that were let in. Invitations let nobody in.
func (a Pairings) LetIn() storage.Pairings {
	var p storage.Pairings
	for _, g := range a.People {
		p.Guests = append(p.Guests, storage.Guest{User: g.ID, Name: g.Name, Roles: g.Roles, Since: g.Since, Invitation: g.Invitation, Chat: g.Chat})
	}
	for _, g := range a.Groups {
		p.Groups = append(p.Groups, storage.GuestGroup{Chat: g.ID, By: g.By, Since: g.Since, Invitation: g.Invitation})
	}
	return p
}
