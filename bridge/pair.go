package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/policy"
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
	gone, kind, what := b.calledSo(id)
	if gone.Empty() {
		return "", ErrNotPaired
	}
	err := b.repair(question.Change{Unpaired: gone, Entries: []question.Entry{{
		At: time.Now(), Kind: question.EntryUnpaired, By: question.Actor{Kind: question.Caller}, Detail: kind, Note: what,
	}}})
	return strings.TrimSpace(kind + " " + what), err
}

// calledSo finds what an id stands for.
func (b *Bridge) calledSo(id string) (gone question.Pairings, kind, what string) {
	for _, g := range b.paired.Guests {
		if strconv.FormatInt(int64(g.User), 10) == id {
			gone.Guests, kind, what = []question.Guest{g}, "person", fmt.Sprintf("%s (%d)", g.Name, g.User)
		}
	}
	for _, g := range b.paired.Groups {
		now := strconv.FormatInt(int64(b.current(g.Chat)), 10)
		if now == id || strconv.FormatInt(int64(g.Chat), 10) == id {
			gone.Groups, kind, what = append(gone.Groups, g), "group", now
		}
	}
	for _, i := range b.paired.Invitations {
		if string(i.ID) == id && i.Used.IsZero() {
			gone.Invitations, kind, what = []question.Invitation{i}, "invitation", id
		}
	}
	return gone, kind, what
}

// repair stores a change of the pairings, and from then on it counts.
func (b *Bridge) repair(c question.Change) error {
	if err := b.commit(c); err != nil && !b.repairedAnyway(c.Paired) {
		return err
	}
	b.paired = merge(b.paired, c.Paired, c.Unpaired)
	b.refresh()
	return nil
}

// repairedAnyway reports whether a commit that failed was carried out all the same.
func (b *Bridge) repairedAnyway(want question.Pairings) bool {
	now, err := b.config.Store.Pairings()
	return err == nil && len(want.Invitations) > 0 && !slices.ContainsFunc(want.Invitations, func(i question.Invitation) bool {
		return !slices.ContainsFunc(now.Invitations, func(n question.Invitation) bool { return n.ID == i.ID && n.Used.Equal(i.Used) })
	})
}

// merge takes away what is gone or comes anew, and adds what comes.
func merge(p, paired, gone question.Pairings) question.Pairings {
	return question.Pairings{
		Invitations: replaced(p.Invitations, paired.Invitations, gone.Invitations, func(i question.Invitation) question.CodeHash { return i.Hash }),
		Guests:      replaced(p.Guests, paired.Guests, gone.Guests, func(g question.Guest) question.UserID { return g.User }),
		Groups:      replaced(p.Groups, paired.Groups, gone.Groups, func(g question.GuestGroup) question.ChatID { return g.Chat }),
	}
}

func replaced[T any, K comparable](list, fresh, gone []T, key func(T) K) []T {
	out := map[K]bool{}
	for _, one := range slices.Concat(fresh, gone) {
		out[key(one)] = true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(one T) bool { return out[key(one)] })
	return append(list, fresh...)
}

// refresh makes the rules that are in force: those of the configuration, with the
// guests. What the configuration names stays as it is there.
func (b *Bridge) refresh() {
	var people []policy.Person
	var targets []policy.Target
	for _, g := range b.paired.Guests {
		people = append(people, policy.Person{ID: g.User, Name: g.Name, Roles: g.Roles})
		if g.Chat != 0 && !b.configured(g.Chat) {
			targets = append(targets, policy.Target{Chat: g.Chat})
		}
	}
	for _, g := range b.paired.Groups {
		if !b.configured(g.Chat) {
			targets = append(targets, policy.Target{Chat: g.Chat})
		}
	}
	b.rules = b.base.With(people...).AndDefault(targets...)
}

// configured reports whether the configuration sends anything to the chat.
func (b *Bridge) configured(id question.ChatID) bool {
	return slices.ContainsFunc(b.base.Targets(), func(t policy.Target) bool { return b.current(t.Chat) == b.current(id) })
}
