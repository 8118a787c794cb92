package bridge

import (
	"cmp"
	"context"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// Late notes at a thread that has ended that an answer goes to its session as a prompt,
// or what became of that. with is stored along with it, in one transaction. Every
// chat that shows the thread then says so, also if nothing was owed to it any more. The
// errors are question.ErrNoThread, question.ErrLate if it has got another late answer, question.ErrNotTheirs if it is of an owned link
// and its author may not answer it, and the store's: then nothing is stored.
func (b *Bridge) Late(ctx context.Context, id question.ID, late question.Late, with storage.Change) error {
	var err error
	failed := b.loop.Do(ctx, func() { err = b.takeLateAnswer(id, late, with) })
	return cmp.Or(failed, err)
}

func (b *Bridge) takeLateAnswer(id question.ID, late question.Late, with storage.Change) error {
	l, err := b.liveOrRetired(id)
	if err != nil {
		return err
	}
	if !l.TakesLate() && (l.Thread.Late == nil || l.Thread.Late.Prompt != late.Prompt) {
		return question.ErrLate
	}
	if l.Thread.Late == nil && b.access.barsLate(l, late.By) {
		return question.ErrNotTheirs
	}
	next := l.Clone()
	next.Late = &late
	next.Rev++
	with.Threads = append(with.Threads, next)
	if err := b.records.commit(with); err != nil {
		return err
	}
	l.Thread = next
	if b.threads.byID[id] != l {
		l = b.threads.revive(next)
	}
	l.publishView()
	b.reconcile(l)
	return nil
}

// barsLate reports whether a late answer is not this person's to give: what the agent of a link's owner has asked takes one from the
// owner in their own chat, and where a rule shows it to others, from who might have answered it in time. If the link got another owner
// since, it is theirs alone.
func (ac *access) barsLate(l *liveThread, by question.Actor) bool {
	owner := ac.ownerNow(l)
	switch {
	case owner.ID == 0, owner.ID == by.User && chat.ID(owner.ID) == by.Chat:
		return false
	case owner.ID != l.Owner.ID, l.TakenFrom(by.Chat):
		return true
	}
	return ac.whyBarred(l, by.User).Kind != outbound.AlertNone
}

// liveOrRetired finds a thread, whether it is retired or not.
func (b *Bridge) liveOrRetired(id question.ID) (*liveThread, error) {
	if l := b.threads.byID[id]; l != nil {
		return l, nil
	}
	t, ok, err := b.config.Store.Find(storage.Key{ID: id})
	if err == nil && !ok {
		err = question.ErrNoThread
	}
	return &liveThread{Thread: t}, err
}
