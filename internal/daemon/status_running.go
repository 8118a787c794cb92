package daemon

import (
	"context"
	"path/filepath"
	"time"

	"hermes/internal/api"
	"hermes/internal/question"
	"hermes/telegram"
)

// runningState is what hermes status shows beside what hermes doctor asks for.
type runningState struct {
	started time.Time
	rules   *Rulebook
	backups *backups
	open    func(context.Context) ([]question.Thread, error)
	held    func(reason string) telegram.Held
}

// addTo tells how hermes has been running. What cannot be found out in time is left out.
func (s runningState) addTo(ctx context.Context, to *api.Status) {
	to.Started, to.Rules = s.started, api.RulesInForce{Count: s.rules.InForce().Count()}
	if file := s.rules.config.Rules; file != "" {
		to.Rules.File = filepath.Base(file)
	}
	if list, err := s.open(ctx); err == nil {
		to.Asks = openAsks(list)
	}
	to.Waiting = map[string]int{}
	for _, reason := range telegram.HeldReasons() {
		to.Waiting[reason] = s.held(reason).Waiting
	}
	to.Backups = s.backups.folder != nil
	if last := s.backups.newest.Load(); last != 0 {
		at := time.Unix(last, 0).UTC()
		to.LastBackup = &at
	}
}

func openAsks(list []question.Thread) (a api.OpenAsks) {
	for _, t := range list {
		if t.Settled() {
			continue
		}
		a.Count++
		if at := t.Asked; a.Oldest == nil || at.Before(*a.Oldest) {
			a.Oldest = &at
		}
	}
	return a
}
