package bridge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/question"
)

// Everybody can write to a bot, and put it into a group. What is remembered of chats
// that hermes has nothing to do with is bounded in time, by the caller of [Bridge.Prune],
// and in number: maxSpare chats, and spareSlack more until they are looked through.
const (
	maxSpare   = 1000
	spareSlack = 100
)

// Prune forgets the chats that nothing has been heard of since this time, but for those
// that hermes needs, and topics that were closed before it, not used for long, or are too
// many. The error is the store's: then what was not forgotten there is loaded, and pruned,
// after a restart.
func (b *Bridge) Prune(ctx context.Context, before time.Time) error {
	var err error
	failed := b.loop.Do(ctx, func() {
		err = errors.Join(b.leave(b.spare(before)), b.pruneTopics(before))
	})
	return cmp.Or(failed, err)
}

// needed are the chats that are configured or paired, the private ones of people who are
// known, those that show what is open, and all that one of them has become.
func (b *Bridge) needed() map[question.ChatID]bool {
	all := map[question.ChatID]bool{}
	add := func(id question.ChatID) {
		for id != 0 && !all[id] {
			all[id] = true
			id = b.chats[id].MovedTo
		}
	}
	for _, t := range b.rules.Targets() {
		add(t.Chat)
	}
	for _, p := range b.rules.People() {
		add(question.ChatID(p.ID)) // a private chat has the id of its person (Bot API)
	}
	for _, g := range b.paired.Guests {
		add(g.Chat)
	}
	for _, g := range b.paired.Groups {
		add(g.Chat)
	}
	for _, l := range b.live {
		if a := l.Request.Admission; a != nil {
			add(a.Chat)
		}
		for _, c := range l.Cards {
			add(c.Chat)
		}
	}
	return all
}

// spare are the chats that are not needed and were last heard of before this time, and
// the oldest of the others if there are more than maxSpare.
func (b *Bridge) spare(before time.Time) []question.ChatID {
	needed := b.needed()
	var list []question.Chat
	for id, c := range b.chats {
		if !needed[id] {
			c.ID = id
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(x, y question.Chat) int { return cmp.Or(x.Seen.Compare(y.Seen), cmp.Compare(x.ID, y.ID)) })
	var ids []question.ChatID
	for i, c := range list {
		if c.Seen.Before(before) || len(list)-i > maxSpare {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// leave forgets chats. The store may not take it; what is in memory goes all the same.
func (b *Bridge) leave(ids []question.ChatID) error {
	if len(ids) == 0 {
		return nil
	}
	for _, id := range ids {
		delete(b.chats, id)
		delete(b.albums, id)
		delete(b.mute, id)
		b.langs.Delete(id)
	}
	return b.commit(question.Change{Left: ids})
}

// thin keeps the number of chats down between two prunings.
func (b *Bridge) thin() {
	if len(b.chats) <= b.crowd {
		return
	}
	_ = b.leave(b.spare(time.Time{})) // the next pruning, or start, does it again
	b.crowd = len(b.chats) + spareSlack
}

// How long a topic is remembered in which nothing is asked, and how many of those. Most
// sessions are never deleted. One that asks after that gets a topic anew.
const (
	keepTopics = 60 * 24 * time.Hour
	maxTopics  = 1000
)

// pruneTopics forgets the topics that were closed before this time, that were not used for
// long, of which there is nothing to remember, and the oldest of those that are too many.
// The topic of a session that asks is remembered.
func (b *Bridge) pruneTopics(before time.Time) error {
	open := map[question.SessionID]bool{}
	for _, l := range b.live {
		open[l.Place.Root] = true
	}
	var spare []*topic
	for _, t := range b.topics {
		if t.busy == "" && !open[t.Root] {
			spare = append(spare, t)
		}
	}
	slices.SortFunc(spare, func(x, y *topic) int { return x.Used.Compare(y.Used) })
	var c question.Change
	for i, t := range spare {
		if len(spare)-i > maxTopics || t.spare(before) {
			c.Dropped = append(c.Dropped, t.Topic)
			delete(b.topics, topicKey{t.Chat, t.Root})
		}
	}
	if c.Empty() {
		return nil
	}
	return b.commit(c)
}

// spare reports whether the topic need not be remembered.
func (t *topic) spare(before time.Time) bool {
	closed := !t.Closed.IsZero() && t.Closed.Before(before)
	never := t.ID == 0 && t.Deleted == 0 && t.Doubts == 0
	return closed || never || time.Since(t.Used) > keepTopics
}
