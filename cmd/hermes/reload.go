package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// errNoRules means that there is nothing to read anew.
var errNoRules = errors.New("HERMES_RULES is not set, so there is nothing to reload; other settings need a restart")

// reload takes over the rules file as it is now, and returns what is other. If it has
// mistakes, or the bridge has stopped, the rules before stay in force. It may be called
// concurrently.
func (d *daemon) reload(ctx context.Context) ([]string, error) {
	if d.config.Rules == "" {
		return nil, errNoRules
	}
	d.reloading.Lock()
	defer d.reloading.Unlock()
	rules, err := d.config.book()
	if err != nil {
		return nil, err
	}
	if err := d.bridge.SetRules(ctx, rules); err != nil {
		return nil, err
	}
	changes := policy.Changes(d.rules, rules)
	d.rules = rules
	d.offered.again()
	return changes, nil
}

// inForce are the rules that hold now.
func (d *daemon) inForce() *policy.Book {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	return d.rules
}

// logged is reload with a word of it in the log, and an entry in the journal: by whom.
func (d *daemon) logged(ctx context.Context, by question.Actor) ([]string, error) {
	changes, err := d.reload(ctx)
	switch {
	case errors.Is(err, errNoRules):
		d.log.Warn("nothing to reload", "err", err)
	case err != nil:
		d.log.Error("the rules were not taken over; those before stay in force", "err", err)
	default:
		for _, warning := range writable(d.config.Rules) {
			d.log.Warn(warning)
		}
		d.log.Info("the rules were taken over", "changes", changes)
		d.enter(question.Entry{At: time.Now(), Kind: question.EntryReloaded, By: by, Note: strings.Join(changes, "; ")})
	}
	return changes, err
}

// enter writes into the journal what has happened already. A failure is logged.
func (d *daemon) enter(e question.Entry) {
	if err := (counted{d.store, d.metrics, d.entries}).Commit(question.Change{Entries: []question.Entry{e}}); err != nil {
		d.log.Error("the store does not take changes", "err", err)
	}
}

// reloadOn reloads whenever a signal comes, until ctx ends.
func (d *daemon) reloadOn(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
			_, _ = d.logged(ctx, question.Actor{}) // the log has it
		case <-ctx.Done():
			return
		}
	}
}

// apiReloaded is what POST /v1/reload tells. Fields are only added.
type apiReloaded struct {
	Rules   string   `json:"rules"`   // the file's name
	Changes []string `json:"changes"` // what is other, in words; empty: nothing
}

// postReload answers POST /v1/reload: 422 with all mistakes if the file has any, 409
// if there is none.
func (d *daemon) postReload(w http.ResponseWriter, r *http.Request) {
	changes, err := d.logged(r.Context(), question.OverAPI())
	var wrong mistakes
	switch {
	case errors.As(err, &wrong):
		reply(w, http.StatusUnprocessableEntity, map[string]any{
			"error": "the rules have mistakes; those before stay in force", "mistakes": wrong,
		})
	case errors.Is(err, errNoRules):
		refuse(w, http.StatusConflict, err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, "hermes could not do that; its log says why")
	default:
		reply(w, http.StatusOK, apiReloaded{Rules: filepath.Base(d.config.Rules), Changes: append([]string{}, changes...)})
	}
}

// reloadCommand asks the hermes that runs to reload.
func reloadCommand() *cobra.Command {
	var opts options
	cmd := &cobra.Command{
		Use:   "reload",
		Short: "Let the hermes that runs take over a changed rules file",
		Long: "Let the hermes that runs take over the file of HERMES_RULES as it is now, and say what is other; SIGHUP does the same.\n" +
			"With a mistake in it, all of them are named, the exit code is 2, and the rules stay as they were. Other settings need a restart.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(opts)
			if err != nil {
				return err
			}
			return askReload(cmd, toRunning(c, nil))
		},
	}
	configFlag(cmd, &opts)
	return cmd
}

func askReload(cmd *cobra.Command, hermes running) error {
	res, err := hermes.call(cmd.Context(), http.MethodPost, "/v1/reload", nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var told apiReloaded
	if err := json.NewDecoder(io.LimitReader(res.Body, 4<<20)).Decode(&told); err != nil {
		return fmt.Errorf("hermes' answer cannot be read: %w", err)
	}
	out := cmd.OutOrStdout()
	if len(told.Changes) == 0 {
		fmt.Fprintln(out, legible(told.Rules)+": nothing has changed")
	}
	for _, line := range told.Changes {
		fmt.Fprintln(out, legible(line))
	}
	return nil
}
