package doctor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/retry"
	"hermes/telegram/botapi"
)

// pollHeld is how long Telegram may hold a poll of the doctor.
const pollHeld = 10 * time.Second

// pollPause is the least time between two polls: asked for the same updates more
// often, Telegram holds the answer back (Bot API server).
const pollPause = 3 * time.Second

// tapWait waits for the tap on one button. It reads updates and confirms none, so
// that hermes serve gets what came in meanwhile; only its own tap, where that is
// the oldest of all, it takes away.
type tapWait struct {
	bot     *botapi.Client
	config  config.Config
	data    string          // of the button
	refused map[string]bool // taps of others that were told so
	full    bool            // more updates wait than one answer holds
}

func newTapWait(bot *botapi.Client, c config.Config) *tapWait {
	return &tapWait{bot: bot, config: c, data: "doctor:" + rand.Text(), refused: map[string]bool{}}
}

// await returns who tapped, or 0 when ctx has ended. A fault means that somebody
// else takes the updates.
func (w *tapWait) await(ctx context.Context) (chat.UserID, *botapi.Error) {
	for ctx.Err() == nil {
		began := time.Now()
		updates, err := w.bot.GetUpdates(ctx, botapi.Poll{Hold: pollHeld, Limit: 100})
		if f := clients.ErrorOf(err); f != nil && f.Reason == botapi.Conflict {
			return 0, f
		}
		if user := w.findTap(ctx, updates); user != 0 {
			return user, nil
		}
		_ = retry.Wait(ctx, pollPause-time.Since(began))
	}
	return 0, nil
}

// findTap finds the tap among the updates.
func (w *tapWait) findTap(ctx context.Context, updates []chat.Update) chat.UserID {
	w.full = len(updates) == 100
	for i, raw := range updates {
		var u clients.Update
		_ = json.Unmarshal(raw.Raw, &u) // one that cannot be read is no tap
		switch {
		case u.Tap == nil || u.Tap.Data != w.data || w.refused[u.Tap.ID]:
		case slices.Contains(w.config.TelegramUsers, u.Tap.From.ID):
			clients.AnswerTap(ctx, w.bot, *u.Tap, "It reaches hermes doctor.", false)
			if i == 0 {
				_, _ = w.bot.GetUpdates(ctx, botapi.Poll{Offset: raw.ID + 1, Limit: 1})
			}
			return u.Tap.From.ID
		default:
			w.refused[u.Tap.ID] = true
			clients.AnswerTap(ctx, w.bot, *u.Tap, "Your answers do not count: your id is not in "+w.config.PeopleSetting()+".", false)
		}
	}
	return 0
}

// hint is the remedy for what kept a tap from being seen, "" if nothing is known.
func (w *tapWait) hint() string {
	switch {
	case w.full:
		return "start hermes serve, which takes in the updates that wait, more than a hundred; stop it and try again"
	case len(w.refused) > 0:
		return "somebody else tapped; put the ids of those who may answer into " + w.config.PeopleSetting()
	}
	return ""
}
