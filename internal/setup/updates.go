package setup

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/telegram/botapi"
)

// updateReader looks through the bot's updates for those that setup waits for.
// Telegram confirms all updates below an offset, so the offset moves only as far
// as all of them were setup's own: what others wrote waits for hermes serve.
type updateReader struct {
	bot     *botapi.Client
	used    map[chat.UpdateID]bool // updates that setup has used
	seen    map[chat.UpdateID]bool
	foreign bool // somebody else's update waits, and with it all after it
	offset  chat.UpdateID
	waits   chat.UpdateID // the first message of others that the last poll brought, and nobody has confirmed; 0: none
}

func newUpdateReader(bot *botapi.Client) *updateReader {
	return &updateReader{bot: bot, used: map[chat.UpdateID]bool{}, seen: map[chat.UpdateID]bool{}}
}

// How long a poll may wait, how much it may bring, and how long setup rests between two of them where
// Telegram would answer at once, and after a failure.
const (
	mailHeld    = 25 * time.Second
	maxBatch    = 100 // the most that Bot API getUpdates gives
	pollRest    = time.Second
	failureRest = 3 * time.Second
)

// waitFor polls until take uses an update, and returns nil then. The error is that
// of the context, errRefused, or a *botapi.Error that does not pass by itself. lost is
// called once for every failure that may pass.
func (m *updateReader) waitFor(ctx context.Context, take func(clients.Update) bool, lost func(error)) error {
	var last string
	var token refusals
	for {
		done, err := m.pollOnce(ctx, mailHeld, take)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case done:
			return nil
		case token.isFinal(err, time.Now()):
			return errRefused
		case err == nil:
			last = ""
		case !isTemporary(err):
			return err
		case err.Error() != last:
			last = err.Error()
			lost(err)
		}
		if err := m.pause(ctx, err); err != nil {
			return err
		}
	}
}

// pollOnce makes one poll. Updates come again until they are confirmed; each is
// offered once.
func (m *updateReader) pollOnce(ctx context.Context, held time.Duration, take func(clients.Update) bool) (bool, error) {
	if m.foreign {
		held = 0
	}
	batch, err := m.bot.GetUpdates(ctx, botapi.Poll{
		Offset: m.offset, Limit: maxBatch, Hold: held,
		Allowed: []string{"message", "callback_query", "my_chat_member"}, // Telegram remembers them; hermes serve asks for the same
	})
	if err != nil {
		return false, err
	}
	if m.wasTaken(batch) {
		return false, errMessageTaken
	}
	known, done := len(m.seen), false
	for _, u := range batch {
		done = m.offer(u.Raw, take) || done
	}
	m.waits = m.firstForeign(batch)
	if len(batch) == maxBatch && len(m.seen) == known {
		return done, errFull
	}
	return done, nil
}

// errMessageTaken means that somebody else confirms updates. Telegram itself tells of another program that polls only where both have to wait
// (Bot API server, Client.cpp:16386-16387).
var errMessageTaken = &botapi.Error{Op: "getUpdates", Reason: botapi.Conflict, Detail: "another program took a message that waited"}

// wasTaken reports whether the message that waits is not among those that do.
func (m *updateReader) wasTaken(batch []chat.Update) bool {
	return m.waits != 0 && !slices.ContainsFunc(batch, func(u chat.Update) bool { return u.ID == m.waits })
}

// firstForeign is the first message of others among updates; 0: there is none. Taps do not count: Telegram forgets them soon.
func (m *updateReader) firstForeign(batch []chat.Update) chat.UpdateID {
	for _, u := range batch {
		var message struct{ Message *struct{} }
		if json.Unmarshal(u.Raw, &message) == nil && message.Message != nil && !m.used[u.ID] {
			return u.ID
		}
	}
	return 0
}

// offer offers one update, alone: one that cannot be read is somebody else's.
func (m *updateReader) offer(raw []byte, take func(clients.Update) bool) bool {
	var u clients.Update
	if json.Unmarshal(raw, &u) != nil {
		m.foreign = true
		return false
	}
	if !m.seen[u.ID] {
		m.seen[u.ID] = true
		m.used[u.ID] = take(u)
		if m.used[u.ID] && !m.foreign {
			m.offset = u.ID + 1
		}
		m.foreign = m.foreign || !m.used[u.ID]
		return m.used[u.ID]
	}
	return false
}

// pause waits where the next poll would be answered at once.
func (m *updateReader) pause(ctx context.Context, err error) error {
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
func (m *updateReader) confirm(ctx context.Context) {
	if m.offset > 0 {
		_, _ = m.bot.GetUpdates(ctx, botapi.Poll{Offset: m.offset, Limit: 1})
	}
}

// errFull means that what others wrote fills a whole batch: what comes after it
// can be seen only by confirming that.
var errFull = errors.New("a hundred messages of others wait for this bot, and setup would have to discard them to see a new one")

// believeRefused is how long Telegram must refuse the token, which it took before, until setup believes that: the Bot API server answers
// 401 also of a good one for a while. It is less than the test waits for an answer.
const believeRefused = 4 * time.Minute

// refusals tells a token that is refused for a while from one that is refused for good.
type refusals struct{ since time.Time }

// isFinal takes in what came of a poll, and reports whether the token was refused for long, with nothing else between.
func (r *refusals) isFinal(err error, now time.Time) bool {
	if err == nil || clients.ErrorOf(err).Reason != botapi.BadToken {
		r.since = time.Time{}
		return false
	}
	if r.since.IsZero() {
		r.since = now
	}
	return now.Sub(r.since) >= believeRefused
}

// errRefused means that the token is refused for good.
var errRefused = errors.New("the bot's token has been refused by Telegram for minutes: it was probably revoked. Copy the new one from @BotFather (/mybots, API Token), and run hermes setup again")

// isTemporary reports whether the same poll may succeed later.
func isTemporary(err error) bool {
	f := clients.ErrorOf(err)
	return !errors.Is(err, errFull) && f.Temporary() && f.Reason != botapi.Conflict
}
