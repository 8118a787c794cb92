package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/question"
)

// Configuration is how a running hermes reads its configuration again. The zero value reads the
// rules file alone.
type Configuration struct {
	Load  func() (config.Config, error) // nil: it is not read again
	Level *slog.LevelVar                // of the log; nil: it stays
}

// reloader takes over what can change while hermes runs: the rules and the log's level. All else is named,
// for whoever restarts hermes.
type reloader struct {
	configuration Configuration
	began         config.Config // that hermes runs with, but for those two
	rules         *Rulebook
	log           *slog.Logger
	mu            sync.Mutex // one reload at a time
}

// reload takes over all that can change, or, where anything has mistakes, nothing.
func (r *reloader) reload(ctx context.Context, by question.Actor) (told api.Reloaded, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.began
	if load := r.configuration.Load; load != nil {
		if now, err = load(); err != nil {
			r.log.Error("the configuration was not taken over; the one before stays in force", "err", err)
			return told, err
		}
	}
	changes, err := r.rules.Reload(ctx, by)
	told.Changes = append([]string{}, changes...)
	if file := r.began.Rules; file != "" {
		told.Rules = filepath.Base(file)
	}
	if err != nil && !errors.Is(err, errNoRules) {
		return told, err
	}
	told.Changes = append(told.Changes, r.setLevel(now.LogLevel)...)
	restart := slices.DeleteFunc(config.Changed(r.began, now), func(name string) bool { return name == "HERMES_LOG_LEVEL" })
	told.Restart = append([]string{}, restart...) // never null
	if len(told.Restart) > 0 {
		r.log.Warn("settings have changed that need a restart", "settings", told.Restart)
	}
	if len(told.Changes)+len(told.Restart) > 0 {
		return told, nil
	}
	if err != nil {
		r.log.Warn("nothing to reload", "err", err)
	}
	return told, err
}

// setLevel changes the level of the log, and says so if it is another one.
func (r *reloader) setLevel(to slog.Level) []string {
	level := r.configuration.Level
	if level == nil || level.Level() == to {
		return nil
	}
	level.Set(to)
	r.log.Info("the log has another level", "log_level", to.String())
	return []string{"HERMES_LOG_LEVEL: " + to.String()}
}

// ReloadOnSignal reloads whenever a signal comes, until ctx ends.
func (d *Daemon) ReloadOnSignal(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
			_, _ = d.reloader.reload(ctx, question.Actor{}) // the log has it
		case <-ctx.Done():
			return
		}
	}
}

// postReload answers POST /v1/reload: 422 with all mistakes if there are any, 409 if there is nothing
// that could be taken over.
func (r *reloader) postReload(w http.ResponseWriter, req *http.Request) {
	told, err := r.reload(req.Context(), question.OverAPI())
	var wrong config.Mistakes
	switch {
	case errors.As(err, &wrong):
		api.Reply(w, http.StatusUnprocessableEntity, map[string]any{
			"error": "the rules or the configuration have mistakes; those before stay in force", "mistakes": wrong,
		})
	case errors.Is(err, errNoRules):
		api.Refuse(w, http.StatusConflict, err.Error())
	case err != nil:
		api.Refuse(w, http.StatusInternalServerError, "hermes could not do that; its log says why")
	default:
		api.Reply(w, http.StatusOK, told)
	}
}
