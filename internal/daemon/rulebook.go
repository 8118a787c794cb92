package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// errNoRules means that there is nothing to read anew.
var errNoRules = errors.New("there is nothing to reload: HERMES_RULES is not set, and HERMES_LOG_LEVEL is as it was; other settings need a restart")

// Configuration is how a running hermes reads its configuration again. The zero value reads the
// rules file alone.
type Configuration struct {
	Load  func() (config.Config, error) // nil: it is not read again
	Level *slog.LevelVar                // of the log; nil: it stays
}

// Rulebook holds the rules in force. It takes over what can change while hermes runs: the rules and the log's level. All else is named,
// for whoever restarts hermes. Its methods may be called concurrently.
type Rulebook struct {
	config Configuration
	began  config.Config // that hermes runs with, but for those two
	store  countedStore
	log    *slog.Logger
	apply  func(context.Context, *policy.Ruleset) error // gives the rules to the bridge
	menu   commandMenu                                  // depends on the rules

	replacing sync.Mutex // held while others are read and put in force, for which the bridge is waited for: of two reloads, the later one wins
	rules     atomic.Pointer[policy.Ruleset]
}

// InForce are the rules that hold now. It never waits.
func (b *Rulebook) InForce() *policy.Ruleset { return b.rules.Load() }

// Replace puts other rules in force, and returns what is other. If the bridge has stopped, the rules
// before stay in force.
func (b *Rulebook) Replace(ctx context.Context, rules *policy.Ruleset) ([]string, error) {
	b.replacing.Lock()
	defer b.replacing.Unlock()
	return b.replaceLocked(ctx, rules)
}

func (b *Rulebook) replaceLocked(ctx context.Context, rules *policy.Ruleset) ([]string, error) {
	if err := b.apply(ctx, rules); err != nil {
		return nil, err
	}
	changes := policy.Changes(b.InForce(), rules)
	b.rules.Store(rules)
	return changes, nil
}

// reload takes over all that can change, or, where anything has mistakes or the bridge has stopped, nothing.
func (b *Rulebook) reload(ctx context.Context, by question.Actor) (told api.Reloaded, err error) {
	b.replacing.Lock()
	defer b.replacing.Unlock()
	now := b.began
	if b.config.Load != nil {
		if now, err = b.config.Load(); err != nil {
			b.log.Error("the configuration was not taken over; the one before stays in force", "err", err)
			return told, err
		}
	}
	told.Changes = []string{} // never null
	if file := b.began.Rules; file != "" {
		told.Rules = filepath.Base(file)
		changes, err := b.readFile(ctx, by)
		if err != nil {
			b.log.Error("the rules were not taken over; those before stay in force", "err", err)
			return told, err
		}
		told.Changes = append(told.Changes, changes...)
	}
	told.Changes = append(told.Changes, b.setLevel(now.LogLevel)...)
	restart := slices.DeleteFunc(config.Changed(b.began, now), func(name string) bool { return name == "HERMES_LOG_LEVEL" })
	told.Restart = append([]string{}, restart...) // never null
	if len(told.Restart) > 0 {
		b.log.Warn("settings have changed that need a restart", "settings", told.Restart)
	}
	if b.began.Rules == "" && len(told.Changes)+len(told.Restart) == 0 {
		b.log.Warn("nothing to reload", "err", errNoRules)
		return told, errNoRules
	}
	return told, nil
}

// readFile takes over the rules file as it is now, and returns what is other. A change is in the journal, too: by whom.
func (b *Rulebook) readFile(ctx context.Context, by question.Actor) ([]string, error) {
	rules, err := b.began.Ruleset()
	if err != nil {
		return nil, err
	}
	changes, err := b.replaceLocked(ctx, rules)
	if err != nil {
		return nil, err
	}
	b.menu.update()
	for _, warning := range config.WarnWritable(b.began.Rules) {
		b.log.Warn(warning)
	}
	b.log.Info("the rules were taken over", "changes", changes)
	e := storage.Entry{At: time.Now(), Kind: storage.EntryReloaded, By: by, Note: strings.Join(changes, "; ")}
	if err := b.store.Commit(storage.Change{Entries: []storage.Entry{e}}); err != nil { // what has happened already
		b.log.Error("the journal does not have that the rules were taken over", "err", err)
	}
	return changes, nil
}

// setLevel changes the level of the log, and says so if it is another one.
func (b *Rulebook) setLevel(to slog.Level) []string {
	level := b.config.Level
	if level == nil || level.Level() == to {
		return nil
	}
	level.Set(to)
	b.log.Info("the log has another level", "log_level", to.String())
	return []string{"HERMES_LOG_LEVEL: " + to.String()}
}

// ReloadOnSignal reloads whenever a signal comes, until ctx ends.
func (d *Daemon) ReloadOnSignal(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
			_, _ = d.Rules.reload(ctx, question.Actor{}) // the log has it
		case <-ctx.Done():
			return
		}
	}
}

// postReload answers POST /v1/reload: 422 with all mistakes if there are any, 409 if there is nothing
// that could be taken over.
func (d *Daemon) postReload(w http.ResponseWriter, r *http.Request) {
	told, err := d.Rules.reload(r.Context(), question.OverAPI())
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
