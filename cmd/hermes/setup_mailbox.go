package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// mailbox looks through the bot's updates for those that setup waits for.
// Telegram confirms all updates below an offset, so the offset moves only as far
// as all of them were setup's own: what others wrote waits for hermes serve.
type mailbox struct {
	bot     botAPI
	ours    map[int64]bool // updates that setup has used
	seen    map[int64]bool
	foreign bool // somebody else's update waits, and with it all after it
	offset  int64
}

func newMailbox(bot botAPI) *mailbox {
	return &mailbox{bot: bot, ours: map[int64]bool{}, seen: map[int64]bool{}}
}

// How long a poll may wait, how much it may bring, and how long setup rests between two of them where
// Telegram would answer at once, and after a failure.
const (
	pollSeconds = 25
	maxBatch    = 100 // the most that Bot API getUpdates gives
	pollRest    = time.Second
	failureRest = 3 * time.Second
)

// await polls until take uses an update, and returns nil then. The error is that
// of the context, or a *botFault that does not pass by itself. lost is told
// once of every failure that may pass.
func (m *mailbox) await(ctx context.Context, take func(incoming) bool, lost func(error)) error {
	var last string
	for {
		done, err := m.once(ctx, pollSeconds, take)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case done:
			return nil
		case err == nil:
			last = ""
		case !passing(err):
			return err
		case err.Error() != last:
			last = err.Error()
			lost(err)
		}
		if err := m.rest(ctx, err); err != nil {
			return err
		}
	}
}

// once makes one poll. Updates come again until they are confirmed; each is
// offered once.
func (m *mailbox) once(ctx context.Context, seconds int, take func(incoming) bool) (bool, error) {
	if m.foreign {
		seconds = 0
	}
	var batch []json.RawMessage
	_, err := m.bot.call(ctx, "getUpdates", map[string]any{
		"offset": m.offset, "limit": maxBatch, "timeout": seconds,
		"allowed_updates": []string{"message", "callback_query", "my_chat_member"}, // Telegram remembers them; hermes serve asks for the same
	}, &batch)
	if err != nil {
		return false, err
	}
	known, done := len(m.seen), false
	for _, raw := range batch {
		done = m.look(raw, take) || done
	}
	if len(batch) == maxBatch && len(m.seen) == known {
		return done, errFull
	}
	return done, nil
}

// look offers one update, alone: one that cannot be read is somebody else's.
func (m *mailbox) look(raw json.RawMessage, take func(incoming) bool) bool {
	var u incoming
	if json.Unmarshal(raw, &u) != nil {
		m.foreign = true
		return false
	}
	if !m.seen[u.ID] {
		m.seen[u.ID] = true
		m.ours[u.ID] = take(u)
		if m.ours[u.ID] && !m.foreign {
			m.offset = u.ID + 1
		}
		m.foreign = m.foreign || !m.ours[u.ID]
		return m.ours[u.ID]
	}
	return false
}

// rest waits where the next poll would be answered at once.
func (m *mailbox) rest(ctx context.Context, err error) error {
	pause := time.Duration(0)
	switch {
	case err != nil:
		pause = failureRest
	case m.foreign:
		pause = pollRest
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// confirm tells Telegram which updates setup has used. A failure costs nothing:
// hermes serve then gets them, and does not know them.
func (m *mailbox) confirm(ctx context.Context) {
	if m.offset > 0 {
		_, _ = m.bot.call(ctx, "getUpdates", map[string]any{"offset": m.offset, "limit": 1, "timeout": 0}, nil)
	}
}

// errFull means that what others wrote fills a whole batch: what comes after it
// can be seen only by confirming that.
var errFull = errors.New("a hundred messages of others wait for this bot, and setup would have to discard them to see a new one")

// passing reports whether the same poll may succeed later.
func passing(err error) bool {
	if errors.Is(err, errFull) {
		return false
	}
	c := botCode(err)
	return c == 0 || c == 429 || c >= 500
}
