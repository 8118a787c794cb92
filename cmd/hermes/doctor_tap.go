package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"time"

	"hermes/question"
)

// pollHeld is how long Telegram may hold a poll of the doctor, in seconds.
const pollHeld = 10

// pollPause is the least time between two polls: asked for the same updates more
// often, Telegram holds the answer back (Bot API server).
const pollPause = 3 * time.Second

// tapUpdate is the part of an update that matters here.
type tapUpdate struct {
	ID       int `json:"update_id"`
	Callback *struct {
		ID   string `json:"id"`
		Data string `json:"data"`
		From struct {
			ID question.UserID `json:"id"`
		} `json:"from"`
	} `json:"callback_query"`
}

// tapWait waits for the tap on one button. It reads updates and confirms none, so
// that hermes serve gets what came in meanwhile; only its own tap, where that is
// the oldest of all, it takes away.
type tapWait struct {
	d       *doctor
	data    string          // of the button
	refused map[string]bool // taps of others that were told so
	full    bool            // more updates wait than one answer holds
}

func newTapWait(d *doctor) *tapWait {
	return &tapWait{d: d, data: "doctor:" + rand.Text(), refused: map[string]bool{}}
}

// await returns who tapped, or 0 when ctx has ended. A fault means that somebody
// else takes the updates.
func (w *tapWait) await(ctx context.Context) (question.UserID, *botFault) {
	for ctx.Err() == nil {
		began := time.Now()
		var updates []tapUpdate
		_, err := w.d.bot.call(ctx, "getUpdates", map[string]any{"timeout": pollHeld, "limit": 100}, &updates)
		if fault := faultOf(err); fault != nil && fault.code == http.StatusConflict {
			return 0, fault
		}
		if user := w.look(ctx, updates); user != 0 {
			return user, nil
		}
		pauseFor(ctx, pollPause-time.Since(began))
	}
	return 0, nil
}

// look finds the tap among the updates.
func (w *tapWait) look(ctx context.Context, updates []tapUpdate) question.UserID {
	w.full = len(updates) == 100
	for i, u := range updates {
		switch {
		case u.Callback == nil || u.Callback.Data != w.data || w.refused[u.Callback.ID]:
		case slices.Contains(w.d.config.TelegramUsers, u.Callback.From.ID):
			w.answer(ctx, u.Callback.ID, "It reaches hermes doctor.")
			if i == 0 {
				_, _ = w.d.bot.call(ctx, "getUpdates", map[string]any{"offset": u.ID + 1, "limit": 1, "timeout": 0}, nil)
			}
			return u.Callback.From.ID
		default:
			w.refused[u.Callback.ID] = true
			w.answer(ctx, u.Callback.ID, "Your answers do not count: your id is not in "+w.d.config.listing()+".")
		}
	}
	return 0
}

// answer ends the button's spinner; without it, that ends by itself.
func (w *tapWait) answer(ctx context.Context, callback, text string) {
	_, _ = w.d.bot.call(ctx, "answerCallbackQuery", map[string]any{"callback_query_id": callback, "text": text}, nil)
}

// hint is the remedy for what kept a tap from being seen, "" if nothing is known.
func (w *tapWait) hint() string {
	switch {
	case w.full:
		return "start hermes serve, which takes in the updates that wait, more than a hundred; stop it and try again"
	case len(w.refused) > 0:
		return "somebody else tapped; put the ids of those who may answer into " + w.d.config.listing()
	}
	return ""
}
