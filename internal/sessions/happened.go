package sessions

import (
	"time"

	"hermes/internal/question"
)

// happened stores what has happened already. If the store fails, it is offered again until
// it is stored, with the time at which it happened. A crash before that: it is not
// stored, and neither is that its update was handled.
func (d *Desk) happened(c question.Change) {
	stamp(c.Entries)
	if len(d.unstored) == 0 && d.commit(c) == nil {
		return
	}
	d.unstored = append(d.unstored, c)
	if len(d.unstored) == 1 {
		d.after(retryStore, d.storeRest)
	}
}

// storeRest offers what has happened, oldest first, until the store fails.
func (d *Desk) storeRest() {
	for len(d.unstored) > 0 {
		if d.commit(d.unstored[0]) != nil {
			d.after(retryStore, d.storeRest)
			return
		}
		d.unstored = d.unstored[1:]
	}
}

// stamp gives entries the time, unless they have it.
func stamp(entries []question.Entry) {
	now := time.Now()
	for i := range entries {
		if entries[i].At.IsZero() {
			entries[i].At = now
		}
	}
}
