package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// forgetInvitations is how long one that was used or ran out is still told from one
// that never was.
const forgetInvitations = 7 * 24 * time.Hour

// Invite keeps an invitation. When it returns no error, its link works; by names those
// who may let in whoever opens it, and nobody as long as nobody may answer. The error is an
// *Invalid if the roles do not fit the rules, or nobody could give them; else ctx's, or loop.ErrEnded.
func (b *Bridge) Invite(ctx context.Context, i storage.Invitation) (by []string, err error) {
	failed := b.loop.Do(ctx, func() {
		err = b.invite(i)
		by = namesOf(b.access.peopleWhoMayGive(i.Roles))
	})
	return by, errors.Join(failed, err)
}

func (b *Bridge) invite(i storage.Invitation) error {
	if reason := cmp.Or(b.access.whyUnfit(i), b.access.whyNobodyMayGive(i.Roles)); reason != "" {
		return &Invalid{-1, reason}
	}
	if b.countPending(i.Made) >= maxInvitations {
		return &Invalid{-1, fmt.Sprintf("%d links are open or wait for somebody to be let in; hermes pair --list tells them, and --remove takes one back", maxInvitations)}
	}
	var old storage.Pairings
	for _, other := range b.access.paired.Invitations {
		if other.Until.Before(i.Made.Add(-forgetInvitations)) {
			old.Invitations = append(old.Invitations, other)
		}
	}
	b.commitPairings(storage.Change{
		Paired: storage.Pairings{Invitations: []storage.Invitation{i}}, Unpaired: old,
		Entries: []storage.Entry{{
			At: i.Made, Kind: storage.EntryInvited, Thread: i.ID, By: question.OverAPI(),
			Detail: kindOfInvitation(i.Group), Note: strings.Join(i.Roles, ", "),
		}},
	})
	return nil
}

// maxInvitations is how many may be open, or wait for somebody to be let in, so that whoever
// makes them cannot fill the chats.
const maxInvitations = 20

func (b *Bridge) countPending(now time.Time) int {
	n := 0
	for _, i := range b.access.paired.Invitations {
		if l := b.threads.byID[i.ID]; l != nil && l.Open() || i.Refusal(i.Group, now) == "" {
			n++
		}
	}
	return n
}

func kindOfInvitation(group bool) string {
	if group {
		return "group"
	}
	return "person"
}

// Paired lists the invitations that are open, and those that were let in; groups by
// the id that they have now.
func (b *Bridge) Paired(ctx context.Context) (p storage.Pairings, err error) {
	err = b.loop.Do(ctx, func() {
		p.Guests = slices.Clone(b.access.paired.Guests)
		for _, g := range b.access.paired.Groups {
			g.Chat = b.Current(g.Chat)
			p.Groups = append(p.Groups, g)
		}
		for _, i := range b.access.paired.Invitations {
			if i.Refusal(i.Group, time.Now()) == "" {
				p.Invitations = append(p.Invitations, i)
			}
		}
	})
	return p, err
}

// Unpair removes a guest by their user id, a group by its chat id, or an open
// invitation by its ID, and says what that was; of an invitation whose link was opened,
// who waits is not let in. Nothing that they did is undone. All who may answer are told.
// The errors are ErrNotPaired, ErrLastPerson, ctx's and loop.ErrEnded.
func (b *Bridge) Unpair(ctx context.Context, id string) (what string, err error) {
	failed := b.loop.Do(ctx, func() { what, err = b.removePaired(id) })
	return what, errors.Join(failed, err)
}

func (b *Bridge) removePaired(id string) (string, error) {
	if l := b.threads.byID[question.ID(id)]; l != nil && l.Request.Admission != nil && l.Open() {
		b.withdrawInvitation(l)
		return "invitation " + id, nil
	}
	gone, e := b.findPaired(id)
	switch {
	case gone.Empty():
		return "", ErrNotPaired
	case len(gone.Guests) > 0 && !b.access.someoneAnswersWithout(gone):
		return "", ErrLastPerson
	}
	e.At, e.Kind, e.By = time.Now(), storage.EntryUnpaired, question.OverAPI()
	change := storage.Change{Unpaired: gone, Entries: []storage.Entry{e}}
	t, told := b.removalThread(gone, e.By)
	if told {
		change.Threads = []question.Thread{t.Clone()}
	}
	b.commitPairings(change)
	if told {
		b.reconcile(b.threads.add(t))
	}
	return e.Detail + " " + e.Note, nil
}

// withdrawInvitation takes back an invitation whose link was opened.
func (b *Bridge) withdrawInvitation(l *liveThread) {
	by := question.OverAPI()
	next := l.Thread
	next.Rev++
	next.Decision = &question.Decision{Reject: true, By: by, At: time.Now()}
	b.decide(l, next, nil, storage.Entry{Kind: storage.EntryUnpaired, By: by, Detail: "invitation", Note: string(l.ID)})
	b.reconcile(l)
}

// findPaired finds what an id stands for, and what the journal says of it.
func (b *Bridge) findPaired(id string) (gone storage.Pairings, e storage.Entry) {
	for _, g := range b.access.paired.Guests {
		if strconv.FormatInt(int64(g.User), 10) == id {
			gone.Guests = []storage.Guest{g}
			e = storage.Entry{Thread: g.Invitation, Detail: "person", Note: fmt.Sprintf("%s (%d)", g.Name, g.User)}
		}
	}
	for _, g := range b.access.paired.Groups {
		now := strconv.FormatInt(int64(b.Current(g.Chat)), 10)
		if now == id || strconv.FormatInt(int64(g.Chat), 10) == id {
			gone.Groups = append(gone.Groups, g) // twice if it became another and was let in again
			e = storage.Entry{Thread: g.Invitation, Detail: "group", Note: now}
		}
	}
	for _, i := range b.access.paired.Invitations {
		if string(i.ID) == id && i.Used.IsZero() {
			gone.Invitations = []storage.Invitation{i}
			e = storage.Entry{Thread: i.ID, Detail: "invitation", Note: id}
		}
	}
	return gone, e
}

// commitPairings stores a change of the pairings, and from then on it counts.
func (b *Bridge) commitPairings(c storage.Change) {
	b.commit(c)
	b.access.mergePairings(c.Paired, c.Unpaired)
	b.access.applyPairings()
}

// mergedPairings takes away what is gone or comes anew, and adds what comes.
func mergedPairings(p, paired, gone storage.Pairings) storage.Pairings {
	return storage.Pairings{
		Invitations: replaceByKey(p.Invitations, paired.Invitations, gone.Invitations, func(i storage.Invitation) storage.CodeHash { return i.Hash }),
		Guests:      replaceByKey(p.Guests, paired.Guests, gone.Guests, func(g storage.Guest) chat.UserID { return g.User }),
		Groups:      replaceByKey(p.Groups, paired.Groups, gone.Groups, func(g storage.GuestGroup) chat.ID { return g.Chat }),
	}
}

func replaceByKey[T any, K comparable](list, fresh, gone []T, key func(T) K) []T {
	out := map[K]bool{}
	for _, one := range slices.Concat(fresh, gone) {
		out[key(one)] = true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(one T) bool { return out[key(one)] })
	return append(list, fresh...)
}

// applyPairings makes the rules that are in force: those of the configuration, with the
// guests. What the configuration names stays as it is there. What is open follows them.
func (ac *access) applyPairings() {
	ac.rules = ac.base.WithPaired(ac.paired, ac.current)
	ac.changed()
}

// mergePairings takes in what the store has by now of who was let in. It is in force only
// after applyPairings.
func (ac *access) mergePairings(comes, gone storage.Pairings) {
	ac.paired = mergedPairings(ac.paired, comes, gone)
}

// someoneAnswersWithout reports whether anybody may answer anything when these are gone.
func (ac *access) someoneAnswersWithout(gone storage.Pairings) bool {
	return len(peopleWhoAnswer(ac.base.WithPaired(mergedPairings(ac.paired, storage.Pairings{}, gone), ac.current))) > 0
}
