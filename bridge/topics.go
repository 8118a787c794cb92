package bridge

import (
	"iter"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// topicThreads are the threads, as the forum sees them.
type topicThreads struct{ *engine }

func (tt topicThreads) Of(root session.ID) iter.Seq[question.Thread] {
	return func(yield func(question.Thread) bool) {
		for _, l := range tt.threads.byID {
			if (root == "" || l.Place.Root == root) && !yield(l.Thread) {
				return
			}
		}
	}
}

func (tt topicThreads) Vacate(chat chat.ID, root session.ID, topic int) (emptied []question.Thread) {
	for _, l := range tt.threads.byID {
		for i, c := range l.Cards {
			if l.Place.Root == root && c.Chat == chat && c.Topic == 0 && c.Room == topic {
				l.setCard(i, question.Card{Chat: c.Chat, Refused: c.Refused, Taken: c.Taken})
				emptied = append(emptied, l.Clone())
			}
		}
	}
	return emptied
}

func (tt topicThreads) SaveLater(list []question.Thread) {
	for _, t := range list {
		if l := tt.threads.byID[t.ID]; l != nil {
			l.stale = true
			tt.records.retryThread(l)
		}
	}
}

func (tt topicThreads) Reconcile(root session.ID) {
	for _, l := range tt.threads.byID {
		if l.Place.Root == root {
			tt.reconcile(l)
		}
	}
}
