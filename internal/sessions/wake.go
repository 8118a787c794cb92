package sessions

import (
	"context"
	"time"
)

// wakesAfter is how long a session may rest with a prompt that it has not begun with,
// until it is told to.
const wakesAfter = 5 * time.Second

// passedOver reports whether a session at rest has a prompt that OpenCode did not begin
// with: it came in the moment in which a turn ended. Not one whose turn before was
// stopped, or failed: whoever stopped it may have meant the prompt, too.
func (w *watch) passedOver(s sight, now time.Time) bool {
	if len(w.For) == 0 || w.woken || w.trouble != "" {
		return false
	}
	prompt := w.For[len(w.For)-1].Prompt
	rests := s.err == nil && !s.session.Busy && !s.asks && !s.turn.Unfinished && s.session.Parent == ""
	return rests && prompt != "" && s.turn.Message < prompt && !s.turn.Aborted && s.turn.Error == "" && now.Sub(w.asked) >= wakesAfter
}

// wake has the session begin with the prompt, once, and looks again in a while.
func (d *Desk) wake(w *watch, s sight) {
	w.woken, w.Since = true, time.Now()
	prompt := w.For[len(w.For)-1].Prompt
	d.checkIn(w, d.config.IdleDelay)
	d.beside(func(ctx context.Context) {
		err := s.way.Wake(ctx, w.Session, prompt)
		d.log.Info("a prompt was passed over by OpenCode, and is sent again", "session", string(w.Session), "err", err)
	})
}
