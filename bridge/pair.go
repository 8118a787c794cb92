package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/question"
)

// ErrNotPaired means that no guest, group or open invitation has this name.
var ErrNotPaired = errors.New("nobody of this id was paired, and no invitation has it; " +
	"who is in HERMES_TELEGRAM_USERS or the rules file is removed there")

// forgetInvitations is how long one that was used or ran out is still told from one
// that never was.
const forgetInvitations = 7 * 24 * time.Hour

// Invite keeps an invitation. When it returns nil, its link works. The error is an
// *Invalid if the roles do not fit the rules, else the store's.
func (b *Bridge) Invite(ctx context.Context, i question.Invitation) (err error) {
	failed := b.do(ctx, func() { err = b.invite(i) })
	return errors.Join(failed, err)
}

func (b *Bridge) invite(i question.Invitation) error {
	if reason := b.unfit(i.Roles); reason != "" {
		return &Invalid{-1, reason}
	}
	var old question.Pairings
	for _, other := range b.paired.Invitations {
		if other.Until.Before(i.Made.Add(-forgetInvitations)) {
			old.Invitations = append(old.Invitations, other)
		}
	}
	return b.repair(question.Change{
		Paired: question.Pairings{Invitations: []question.Invitation{i}}, Unpaired: old,
		Entries: []question.Entry{{
			At: i.Made, Kind: question.EntryInvited, Thread: i.ID, By: question.Actor{Kind: question.Caller},
			Detail: kindOf(i), Note: strings.Join(i.Roles, ", "),
		}},
	})
}

// unfit says why a guest cannot have these roles.
func (b *Bridge) unfit(roles []string) string {
	known := b.base.Roles()
	switch {
	case b.base.Open() && len(roles) > 0:
		return "roles mean nothing without a rules file (HERMES_RULES)"
	case !b.base.Open() && len(roles) == 0:
		return "without a role nobody may answer; the rules know " + strings.Join(known, ", ")
	}
	for _, role := range roles {
		if !slices.Contains(known, role) {
			return fmt.Sprintf("the rules know no role %q, but %s", role, strings.Join(known, ", "))
		}
	}
	return ""
}

func kindOf(i question.Invitation) string {
	if i.Group {
		return "group"
	}
	return "person"
}

// Paired lists the invitations that are open, and those that were let in; groups by
// the id that they have now.
func (b *Bridge) Paired(ctx context.Context) (p question.Pairings, err error) {
	err = b.do(ctx, func() {
		p.Guests = slices.Clone(b.paired.Guests)
		for _, g := range b.paired.Groups {
			g.Chat = b.current(g.Chat)
			p.Groups = append(p.Groups, g)
		}
		for _, i := range b.paired.Invitations {
			if i.Refusal(i.Group, time.Now()) == "" {
				p.Invitations = append(p.Invitations, i)
			}
		}
	})
	return p, err
}

// Unpair removes a guest by their user id, a group by its chat id, or an open
// invitation by its ID, and says what that was. Nothing that they did is undone.
func (b *Bridge) Unpair(ctx context.Context, id string) (what string, err error) {
	failed := b.do(ctx, func() { what, err = b.unpair(id) })
	return what, errors.Join(failed, err)
}

func (b *Bridge) unpair(id string) (string, error) {
	gone, e := b.calledSo(id)
	if gone.Empty() {
		return "", ErrNotPaired
	}
	e.At, e.Kind, e.By = time.Now(), question.EntryUnpaired, question.Actor{Kind: question.Caller}
	err := b.repair(question.Change{Unpaired: gone, Entries: []question.Entry{e}})
	return e.Detail + " " + e.Note, err
}

// calledSo finds what an id stands for, and what the journal says of it.
func (b *Bridge) calledSo(id string) (gone question.Pairings, e question.Entry) {
	for _, g := range b.paired.Guests {
		if strconv.FormatInt(int64(g.User), 10) == id {
			gone.Guests = []question.Guest{g}
			e = question.Entry{Thread: g.Invitation, Detail: "person", Note: fmt.Sprintf("%s (%d)", g.Name, g.User)}
		}
	}
	for _, g := range b.paired.Groups {
		now := strconv.FormatInt(int64(b.current(g.Chat)), 10)
		if now == id || strconv.FormatInt(int64(g.Chat), 10) == id {
			gone.Groups = append(gone.Groups, g) // twice if it became another and was let in again
			e = question.Entry{Thread: g.Invitation, Detail: "group", Note: now}
		}
	}
	for _, i := range b.paired.Invitations {
		if string(i.ID) == id && i.Used.IsZero() {
			gone.Invitations = []question.Invitation{i}
			e = question.Entry{Thread: i.ID, Detail: "invitation", Note: id}
		}
	}
	return gone, e
}
