package bridge

import (
	"time"

	"hermes/internal/question"
)

// retryStore is when a change that the store did not take is offered again.
const retryStore = 5 * time.Second

// keep stores the thread as it is now, together with what happened to it. What has
// happened has happened: if the store fails, the loop goes on with what it knows, and the
// next commit of the thread, or a later try, stores both together. A crash before that:
// neither is stored, and the next start finds out what happened meanwhile.
func (r *records) keep(l *live, entries ...question.Entry) {
	l.publish()
	if r.threads.byID[l.ID] != l {
		return // retired: it must not come back
	}
	entries = stamp(l.Thread, entries)
	if r.saveThread(l.Thread, entries...) != nil {
		l.owed, l.stale = append(l.owed, entries...), true
		r.retryThread(l)
	}
}

// retryThread looks at the thread again in a while, because the store did not take a change of
// it: once, however many it did not take.
func (r *records) retryThread(l *live) {
	r.loop.Retry(l, retryStore, func() {
		if r.threads.byID[l.ID] != l {
			return
		}
		if l.stale {
			r.keep(l)
		}
		r.resume(l)
	})
}

// flush is the last try for what the store did not take of threads, when the loop ends.
func (r *records) flush() {
	for _, l := range r.threads.byID {
		if l.stale {
			r.keep(l)
		}
	}
}
