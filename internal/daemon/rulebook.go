package daemon

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// errNoRules means that there is nothing to read anew.
var errNoRules = errors.New("there is nothing to reload: HERMES_RULES is not set, and HERMES_LOG_LEVEL is as it was; other settings need a restart")

// Rulebook holds the rules in force and replaces them while hermes runs. Its methods may be called
// concurrently.
type Rulebook struct {
	config config.Config // where the rules are read from
	store  countedStore
	log    *slog.Logger
	apply  func(context.Context, *policy.Ruleset) error // gives the rules to the bridge
	menu   commandMenu                                  // depends on the rules

	replacing sync.Mutex // held while others are put in force, for which the bridge is waited for
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

// readFile takes over the rules file as it is now, and returns what is other. If it has mistakes, or
// the bridge has stopped, the rules before stay in force.
func (b *Rulebook) readFile(ctx context.Context) ([]string, error) {
	if b.config.Rules == "" {
		return nil, errNoRules
	}
	b.replacing.Lock()
	defer b.replacing.Unlock() // held while the file is read: of two reloads, the later one wins
	rules, err := b.config.Ruleset()
	if err != nil {
		return nil, err
	}
	changes, err := b.replaceLocked(ctx, rules)
	if err != nil {
		return nil, err
	}
	b.menu.update()
	return changes, nil
}

// Reload takes over the rules file as it is now, and returns what is other. The outcome is in the log;
// a change of the rules is in the journal too: by whom. If the file has mistakes, or the bridge has
// stopped, the rules before stay in force.
func (b *Rulebook) Reload(ctx context.Context, by question.Actor) ([]string, error) {
	changes, err := b.readFile(ctx)
	switch {
	case errors.Is(err, errNoRules): // the log's level may have changed
	case err != nil:
		b.log.Error("the rules were not taken over; those before stay in force", "err", err)
	default:
		for _, warning := range config.WarnWritable(b.config.Rules) {
			b.log.Warn(warning)
		}
		b.log.Info("the rules were taken over", "changes", changes)
		b.journalReload(by, changes)
	}
	return changes, err
}

// journalReload writes into the journal what has happened already.
func (b *Rulebook) journalReload(by question.Actor, changes []string) {
	e := storage.Entry{At: time.Now(), Kind: storage.EntryReloaded, By: by, Note: strings.Join(changes, "; ")}
	if err := b.store.Commit(storage.Change{Entries: []storage.Entry{e}}); err != nil {
		b.log.Error("the journal does not have that the rules were taken over", "err", err)
	}
}
