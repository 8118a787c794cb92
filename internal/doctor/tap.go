package doctor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	tg "github.com/go-telegram/bot"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/retry"
	"hermes/telegram/botapi"
)

// pollHeld is how long Telegram may hold a poll of the doctor.
const pollHeld = 10 * time.Second

// pollPause is the least time between two polls: asked for the same updates more
// often, Telegram holds the answer back (Bot API server).
const pollPause = 3 * time.Second

// tapUpdate is the part of an update that matters here.
type tapUpdate struct {
	Callback *struct {
		ID   string `json:"id"`
		Data string `json:"data"`
		From struct {
			ID chat.UserID `json:"id"`
		} `json:"from"`
	} `json:"callback_query"`
}

// tapWait waits for the tap on one button. It reads updates and confirms none, so
// that hermes serve gets what came in meanwhile; only its own tap, where that is
// the oldest of all, it takes away.
type tapWait struct {
	d       *Doctor
	data    string          // of the button
	refused map[string]bool // taps of others that were told so
	full    bool            // more updates wait than one answer holds
}

func newTapWait(d *Doctor) *tapWait {
	return &tapWait{d: d, data: "doctor:" + rand.Text(), refused: map[string]bool{}}
}

// await returns who tapped, or 0 when ctx has ended. A fault means that somebody
// else takes the updates.
func (w *tapWait) await(ctx context.Context) (chat.UserID, *botapi.Error) {
	for ctx.Err() == nil {
		began := time.Now()
		updates, err := w.d.bot.GetUpdates(ctx, botapi.Poll{Hold: pollHeld, Limit: 100})
		if f := clients.ErrorOf(err); f != nil && f.Reason == botapi.Conflict {
			return 0, f
		}
		if user := w.look(ctx, updates); user != 0 {
			return user, nil
		}
		_ = retry.Wait(ctx, pollPause-time.Since(began))
	}
	return 0, nil
}

// look finds the tap among the updates.
func (w *tapWait) look(ctx context.Context, updates []chat.Update) chat.UserID {
	w.full = len(updates) == 100
	for i, raw := range updates {
		var u tapUpdate
		_ = json.Unmarshal(raw.Raw, &u) // one that cannot be read is no tap
		switch {
		case u.Callback == nil || u.Callback.Data != w.data || w.refused[u.Callback.ID]:
		case slices.Contains(w.d.config.TelegramUsers, u.Callback.From.ID):
			w.answer(ctx, u.Callback.ID, "It reaches hermes doctor.")
			if i == 0 {
				_, _ = w.d.bot.GetUpdates(ctx, botapi.Poll{Offset: raw.ID + 1, Limit: 1})
			}
			return u.Callback.From.ID
		default:
			w.refused[u.Callback.ID] = true
			w.answer(ctx, u.Callback.ID, "Your answers do not count: your id is not in "+w.d.config.PeopleSetting()+".")
		}
	}
	return 0
}

// answer ends the button's spinner; without it, that ends by itself.
func (w *tapWait) answer(ctx context.Context, callback, text string) {
	_ = w.d.bot.AnswerCallbackQuery(ctx, &tg.AnswerCallbackQueryParams{CallbackQueryID: callback, Text: text})
}

// hint is the remedy for what kept a tap from being seen, "" if nothing is known.
func (w *tapWait) hint() string {
	switch {
	case w.full:
		return "start hermes serve, which takes in the updates that wait, more than a hundred; stop it and try again"
	case len(w.refused) > 0:
		return "somebody else tapped; put the ids of those who may answer into " + w.d.config.PeopleSetting()
	}
	return ""
}
