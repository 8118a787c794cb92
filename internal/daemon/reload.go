package daemon

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// errNoRules means that there is nothing to read anew.
var errNoRules = errors.New("HERMES_RULES is not set, so there is nothing to reload; other settings need a restart")

// reloadRules takes over the rules file as it is now, and returns what is other. If it has
// mistakes, or the bridge has stopped, the rules before stay in force. It may be called
// concurrently.
func (d *Daemon) reloadRules(ctx context.Context) ([]string, error) {
	if d.config.Rules == "" {
		return nil, errNoRules
	}
	d.Reloading.Lock()
	defer d.Reloading.Unlock()
	rules, err := d.config.Ruleset()
	if err != nil {
		return nil, err
	}
	if err := d.Bridge.SetRules(ctx, rules); err != nil {
		return nil, err
	}
	changes := policy.Changes(d.Rules, rules)
	d.Rules = rules
	d.offered.again()
	return changes, nil
}

// RulesInForce are the rules that hold now.
func (d *Daemon) RulesInForce() *policy.Ruleset {
	d.Reloading.Lock()
	defer d.Reloading.Unlock()
	return d.Rules
}

// ReloadAndLog is reload with a word of it in the log, and an entry in the journal: by whom.
func (d *Daemon) ReloadAndLog(ctx context.Context, by question.Actor) ([]string, error) {
	changes, err := d.reloadRules(ctx)
	switch {
	case errors.Is(err, errNoRules):
		d.log.Warn("nothing to reload", "err", err)
	case err != nil:
		d.log.Error("the rules were not taken over; those before stay in force", "err", err)
	default:
		for _, warning := range config.WarnWritable(d.config.Rules) {
			d.log.Warn(warning)
		}
		d.log.Info("the rules were taken over", "changes", changes)
		d.enter(storage.Entry{At: time.Now(), Kind: storage.EntryReloaded, By: by, Note: strings.Join(changes, "; ")})
	}
	return changes, err
}

// enter writes into the journal what has happened already. A failure is logged.
func (d *Daemon) enter(e storage.Entry) {
	if err := (counted{d.Store, d.metrics, d.entries}).Commit(storage.Change{Entries: []storage.Entry{e}}); err != nil {
		d.log.Error("the store does not take changes", "err", err)
	}
}

// ReloadOnSignal reloads whenever a signal comes, until ctx ends.
func (d *Daemon) ReloadOnSignal(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
			_, _ = d.ReloadAndLog(ctx, question.Actor{}) // the log has it
		case <-ctx.Done():
			return
		}
	}
}

// postReload answers POST /v1/reload: 422 with all mistakes if the file has any, 409
// if there is none.
func (d *Daemon) postReload(w http.ResponseWriter, r *http.Request) {
	changes, err := d.ReloadAndLog(r.Context(), question.OverAPI())
	var wrong config.Mistakes
	switch {
	case errors.As(err, &wrong):
		api.Reply(w, http.StatusUnprocessableEntity, map[string]any{
			"error": "the rules have mistakes; those before stay in force", "mistakes": wrong,
		})
	case errors.Is(err, errNoRules):
		api.Refuse(w, http.StatusConflict, err.Error())
	case err != nil:
		api.Refuse(w, http.StatusInternalServerError, "hermes could not do that; its log says why")
	default:
		api.Reply(w, http.StatusOK, api.Reloaded{Rules: filepath.Base(d.config.Rules), Changes: append([]string{}, changes...)})
	}
}
