package bridge

import (
	"context"
	"errors"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/policy"
)

// ErrNobodyToTell means that there is no chat in which something can be told.
var ErrNobodyToTell = errors.New("there is no chat to tell it in")

// TellLapse tells the owner of machines, in their private chat, what is wrong with them; of nobody's (0) it tells the chats that get what
// no rule sends elsewhere. It waits until Telegram has taken the message in one of them, or will never take it. It may be called from anywhere. The
// error is ErrNobodyToTell, ctx's, ErrStopped, or one of the chat that may pass.
func (b *Bridge) TellLapse(ctx context.Context, owner chat.UserID, l outbound.Lapse) error {
	var to []policy.Target
	if err := b.loop.Do(ctx, func() { to = b.machines.chatsFor(owner) }); err != nil {
		return err
	}
	if len(to) == 0 {
		return ErrNobodyToTell
	}
	done := make(chan error, len(to))
	for _, t := range to {
		b.machines.messages.Note(outbound.Note{Kind: outbound.NoteLapse, Chat: t.Chat, Topic: t.Topic, Lapse: l}, func(_ chat.MessageID, err error) { done <- err })
	}
	var failed error
	for range to {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-done:
			if !isPassing(err) {
				return b.machines.noteLapseTold(l, err)
			}
			failed = err
		}
	}
	return failed
}

// noteLapseTold logs that nobody can be told.
func (m *machines) noteLapseTold(l outbound.Lapse, err error) error {
	if err != nil {
		m.log.Error("what is wrong with machines cannot be told to their owner", "lapse", string(l.Kind), "machines", len(l.Machines), "err", err)
	}
	return nil
}

// chatsFor are the chats in which an owner of machines is told of them.
func (m *machines) chatsFor(owner chat.UserID) []policy.Target {
	if owner == 0 {
		list := m.access.rules.DefaultTargets()
		for i, t := range list {
			list[i].Chat = m.places.chats.current(t.Chat)
		}
		return list
	}
	if _, known := m.access.rules.Person(owner); !known {
		return nil
	}
	return []policy.Target{{Chat: chat.ID(owner)}}
}
