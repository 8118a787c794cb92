package bridge

import (
	"context"
	"time"

	"hermes/internal/question"
)

// Backlog is what waits now, for those who watch hermes. Admissions are left out, as in Open.
type Backlog struct {
	Asks       map[question.Stage]int // every stage is there
	Away       int                    // of those that have not ended: their OpenCode cannot be reached
	Unseen     time.Duration          // how long the oldest ask that no chat shows ought to be shown; 0: there is none
	Unanswered time.Duration          // how long ago the oldest open ask was asked; 0: there is none
	Owed       time.Duration          // how long the oldest decision has been owed to OpenCode; 0: none is
}

// Backlog counts what is in memory: it reads nothing from the store, and copies no thread. The error is ctx's, or ErrStopped.
func (b *Bridge) Backlog(ctx context.Context) (Backlog, error) {
	log := Backlog{Asks: map[question.Stage]int{}}
	for _, s := range question.Stages() {
		log.Asks[s] = 0
	}
	err := b.loop.Do(ctx, func() {
		now := time.Now()
		for _, l := range b.threads.byID {
			if l.Request.Admission == nil {
				log.add(l.Thread, b.stageOf(l), now)
			}
		}
	})
	return log, err
}

// stageOf is the thread's stage; a thread that another leads is shown where that is.
func (b *Bridge) stageOf(l *liveThread) question.Stage {
	leader := b.threads.byID[l.Leader]
	if stage := l.Stage(); stage != question.StageUnseen || leader == nil || !leader.Shown() {
		return stage
	}
	return question.StageShown
}

func (b *Backlog) add(t question.Thread, stage question.Stage, now time.Time) {
	b.Asks[stage]++
	if t.Away && stage != question.StageEnded {
		b.Away++
	}
	if t.Open() {
		b.Unanswered = max(b.Unanswered, now.Sub(t.Asked))
	}
	switch stage {
	case question.StageUnseen:
		b.Unseen = max(b.Unseen, now.Sub(t.DueSince()))
	case question.StageDeciding:
		b.Owed = max(b.Owed, now.Sub(t.OwedSince()))
	case question.StageShown, question.StageHeld, question.StageEnded:
	}
}
