package bridge

import (
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

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
		h := remote.Hearer{Chat: b.places.chats.current(target.Chat), Topic: target.Topic, Silent: silent}
		isThere := func(o remote.Hearer) bool { return o.Chat == h.Chat }
		if slices.ContainsFunc(list, isThere) || !b.access.mayDriveIn(h.Chat) {
			continue
		}
		if h.Chat != target.Chat {
			h.Was, h.Topic = target.Chat, 0 // a topic of that number is another
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
