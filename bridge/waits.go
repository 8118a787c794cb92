package bridge

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/recent"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
)

// Bounds of what is remembered of asks that have ended.
const (
	maxWaits   = 256 // sessions
	maxWaitsOf = 64  // asks of one session
	waitsFor   = 12 * time.Hour
)

// waits remembers when asks of sessions waited for people, by the root session. It is kept in memory alone: after a restart the end of a
// turn is told as if nobody had been waited for before.
type waits struct {
	of *recent.Map[session.ID, []wait]
}

// wait is an ask that has ended.
type wait struct {
	from, to time.Time
	origins  []session.Origin
	message  session.MessageID // that asked, if that can have ended the turn; else empty
	cards    []chat.ID         // that say how it ended
}

func newWaits() *waits { return &waits{recent.New[session.ID, []wait](maxWaits)} }

// note takes in an ask that has ended. shown is what has its cards: itself, or the equal ask that stands for it.
func (ws *waits) note(t question.Thread, shown question.Thread) {
	root := cmp.Or(t.Place.Root, t.Request.Session)
	if root == "" || t.Outcome == nil {
		return
	}
	w := wait{from: t.Asked, to: t.Outcome.At, origins: t.Origins}
	switch t.Outcome.Kind {
	case question.OutcomeDismissed, question.OutcomeStopped, question.OutcomeRestarted:
		if t.Request.Session == root {
			w.message = t.Request.Message
		}
	case question.OutcomeAnswered, question.OutcomeDeleted, question.OutcomeVoid, question.OutcomeUnknown:
	}
	for _, c := range shown.Cards {
		if len(c.Messages) > 0 && c.Taken == 0 {
			w.cards = append(w.cards, c.Chat)
		}
	}
	for {
		_, old, ok := ws.of.GetOldest()
		if !ok || time.Since(old[len(old)-1].to) < waitsFor {
			break
		}
		ws.of.RemoveOldest()
	}
	list, _ := ws.of.Get(root)
	list = append(slices.Clone(list), w)
	ws.of.Add(root, list[max(0, len(list)-maxWaitsOf):])
}

// Waits says how long a turn has waited for people, and in which chats a card says that it ended with an ask that nobody answered. It
// waits for the loop; its error is ctx's, or says that the loop has ended.
func (b *Bridge) Waits(ctx context.Context, at session.Origin, turn session.Turn) (found remote.Waits, err error) {
	err = b.loop.Do(ctx, func() { found = b.waits.during(at, turn) })
	return found, err
}

func (ws *waits) during(at session.Origin, turn session.Turn) (found remote.Waits) {
	list, _ := ws.of.Get(turn.Session.ID)
	list = slices.DeleteFunc(slices.Clone(list), func(w wait) bool {
		return !slices.ContainsFunc(w.origins, func(o session.Origin) bool { return o.MayHave(at) })
	})
	slices.SortStableFunc(list, func(x, y wait) int { return x.from.Compare(y.from) })
	until := turn.Began
	for _, w := range list {
		if w.message != "" && w.message == turn.Message {
			found.Told = append(found.Told, w.cards...)
		}
		from, to := retry.Later(w.from, until), w.to
		if !turn.Ended.IsZero() && to.After(turn.Ended) {
			to = turn.Ended
		}
		if to.After(from) {
			found.For += to.Sub(from)
			until = to
		}
	}
	return found
}

// Hearers are the places where a question of the turn's session would be shown now, by the rules and by who was let
// in: what a session did is told where what it asks is. Of these, only chats in which people may see that (see
// [policy.Ruleset.MayDrive]). A chat is there once, with the topic of the session if it has one. It waits for
// the loop; its error is ctx's, or says that the loop has ended.
func (b *Bridge) Hearers(ctx context.Context, at session.Origin, turn session.Turn) ([]remote.Hearer, error) {
	var list []remote.Hearer
	err := b.loop.Do(ctx, func() { list = b.hearersOf(at, turn) })
	return list, err
}

func (b *Bridge) hearersOf(at session.Origin, turn session.Turn) []remote.Hearer {
	owner, known := b.access.ownerAt(at)
	if !known {
		return nil
	}
	asked := &liveThread{Thread: question.Thread{
		Request: question.Request{Session: turn.Session.ID, Agent: turn.Agent}, Asked: time.Now(),
		Place: session.Place{Root: turn.Session.ID, Title: turn.Session.Title}, Owner: owner, Origins: []session.Origin{at},
	}}
	rule := b.access.ruleFor(asked)
	silent := !rule.Quiet.Until(time.Now()).IsZero()
	var list []remote.Hearer
	for _, target := range rule.Targets {
		h := remote.Hearer{Chat: b.Current(target.Chat), Topic: target.Topic, Silent: silent}
		isThere := func(o remote.Hearer) bool { return o.Chat == h.Chat }
		if slices.ContainsFunc(list, isThere) || !b.access.mayDriveIn(h.Chat) {
			continue
		}
		if h.Chat != target.Chat {
			h.Topic = 0 // a topic of that number is another
		}
		if h.Topic == 0 {
			h.Topic = b.forum.TopicOf(turn.Session.ID, h.Chat, at)
		}
		list = append(list, h)
	}
	return list
}

// mayDriveIn reports whether there may be somebody in the chat who may drive sessions. A private chat has the
// id of its person (Bot API, Chat.id).
func (ac *access) mayDriveIn(id chat.ID) bool {
	if id > 0 {
		return ac.mayDrive(chat.UserID(id))
	}
	return ac.rules.HasDrivers()
}
