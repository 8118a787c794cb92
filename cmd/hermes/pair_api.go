package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/bridge"
	"hermes/internal/question"
)

// Wire types of /v1/pair. Fields are only added.
type (
	apiInvite struct {
		Group bool     `json:"group"`           // add a group too
		Name  string   `json:"name,omitempty"`  // of the person; absent: as Telegram names them
		Roles []string `json:"roles,omitempty"` // that the person gets
	}
	apiInvitation struct {
		ID    question.ID `json:"id"`
		Link  string      `json:"link,omitempty"` // once, where it is made
		Group bool        `json:"group"`
		Name  string      `json:"name,omitempty"`
		Roles []string    `json:"roles,omitempty"`
		Until time.Time   `json:"until"`

		By []string `json:"confirmed_by,omitempty"` // once, where it is made: those who may let in whoever opens it; absent: nobody may answer yet, and nobody has to
	}
	apiGuest struct {
		ID         question.UserID `json:"id"`
		Name       string          `json:"name"`
		Roles      []string        `json:"roles,omitempty"`
		Since      time.Time       `json:"since"`
		Invitation question.ID     `json:"invitation"`
		Chat       question.ChatID `json:"chat,omitempty"` // their private chat, if it gets questions
	}
	apiGroup struct {
		ID         question.ChatID `json:"id"`
		By         question.UserID `json:"by"`
		Since      time.Time       `json:"since"`
		Invitation question.ID     `json:"invitation"`
	}
	apiWaiting struct {
		Invitation question.ID     `json:"invitation"`
		ID         question.UserID `json:"id"`
		Name       string          `json:"name"` // as Telegram names them
		Username   string          `json:"username,omitempty"`
		Roles      []string        `json:"roles,omitempty"`
		Group      question.ChatID `json:"group,omitempty"` // that they want to add
		Until      time.Time       `json:"until"`
	}
	apiPairings struct {
		Invitations []apiInvitation `json:"invitations"` // that are open
		Waiting     []apiWaiting    `json:"waiting"`     // who have opened one, and are not let in yet
		People      []apiGuest      `json:"people"`
		Groups      []apiGroup      `json:"groups"`
	}
)

func invitationToAPI(i question.Invitation) apiInvitation {
	return apiInvitation{ID: i.ID, Group: i.Group, Name: i.Name, Roles: i.Roles, Until: i.Until}
}

func pairingsToAPI(p question.Pairings) apiPairings {
	a := apiPairings{Invitations: []apiInvitation{}, Waiting: []apiWaiting{}, People: []apiGuest{}, Groups: []apiGroup{}}
	for _, i := range p.Invitations {
		a.Invitations = append(a.Invitations, invitationToAPI(i))
	}
	for _, g := range p.Guests {
		a.People = append(a.People, apiGuest{g.User, g.Name, g.Roles, g.Since, g.Invitation, g.Chat})
	}
	for _, g := range p.Groups {
		a.Groups = append(a.Groups, apiGroup{g.Chat, g.By, g.Since, g.Invitation})
	}
	return a
}

func waitingToAPI(t question.Thread) apiWaiting {
	a := t.Request.Admission
	w := apiWaiting{Invitation: t.ID, ID: a.User.ID, Name: a.User.Name, Username: a.User.Username, Roles: a.Roles, Until: t.Deadline}
	if a.Group {
		w.Group = a.Chat
	}
	return w
}

// makeInvitation answers POST /v1/pair.
func (d *daemon) makeInvitation(w http.ResponseWriter, r *http.Request) {
	in, fault := readInvite(http.MaxBytesReader(w, r.Body, 64<<10))
	if fault != "" {
		refuse(w, http.StatusBadRequest, fault)
		return
	}
	username, err := d.bot.Username(r.Context())
	if err != nil {
		d.log.Warn("no link can be made without the bot's name", "err", err)
		refuse(w, http.StatusBadGateway, "Telegram does not tell the bot's name now, which the link needs; try again, and see hermes doctor")
		return
	}
	i, code := question.Invite(time.Now())
	i.Group, i.Name, i.Roles = in.Group, in.Name, in.Roles
	by, err := d.bridge.Invite(r.Context(), i)
	if err != nil {
		d.fail(w, err)
		return
	}
	a := invitationToAPI(i)
	a.By = by
	a.Link = deepLink(username, i.Group, code)
	reply(w, http.StatusOK, a)
}

// readInvite reads the body; a fault says what does not fit.
func readInvite(body io.Reader) (in apiInvite, fault string) {
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&in)
	if err == nil {
		err = atEnd(decoder)
	}
	if err != nil {
		return in, `the body must be {"group":false,"name":"Ada","roles":["dev"]}, each of them if it is wanted`
	}
	return in, unfitInvite(in.Name, in.Roles)
}

var roleForm = regexp.MustCompile(`^\S(.{0,62}\S)?$`)

// unfitInvite says what is wrong with a name or roles in themselves.
func unfitInvite(name string, roles []string) string {
	if utf8.RuneCountInString(name) > 64 || name != strings.TrimSpace(name) || legible(name) != name {
		return "a name has up to 64 characters that can be seen"
	}
	for _, role := range roles {
		if !roleForm.MatchString(role) || legible(role) != role {
			return "a role has 1 to 64 characters that can be seen"
		}
	}
	return ""
}

// listPairings answers GET /v1/pair.
func (d *daemon) listPairings(w http.ResponseWriter, r *http.Request) {
	p, err := d.bridge.Paired(r.Context())
	if err != nil {
		d.fail(w, err)
		return
	}
	waiting, err := d.bridge.Admissions(r.Context())
	if err != nil {
		d.fail(w, err)
		return
	}
	a := pairingsToAPI(p)
	for _, t := range waiting {
		a.Waiting = append(a.Waiting, waitingToAPI(t))
	}
	reply(w, http.StatusOK, a)
}

// removePairing answers DELETE /v1/pair/{id}.
func (d *daemon) removePairing(w http.ResponseWriter, r *http.Request) {
	what, err := d.bridge.Unpair(r.Context(), r.PathValue("id"))
	switch {
	case errors.Is(err, bridge.ErrNotPaired):
		refuse(w, http.StatusNotFound, bridge.ErrNotPaired.Error())
	case errors.Is(err, bridge.ErrLastPerson):
		refuse(w, http.StatusConflict, bridge.ErrLastPerson.Error())
	case err != nil:
		d.fail(w, err)
	default:
		reply(w, http.StatusOK, map[string]string{"removed": what})
	}
}
