package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/sessions"
	"hermes/telegram"
)

// OfferAfter is how long after the start the menu of commands is seen to: what is asked
// and answered then goes first.
const OfferAfter = 2 * time.Second

// commandMenu is the state of what Telegram's clients offer for a slash. Make it with newCommandMenu.
type commandMenu struct {
	other chan struct{} // something that it depends on has changed
}

func newCommandMenu() commandMenu { return commandMenu{make(chan struct{}, 1)} }

// again has the menu looked after once more. It never waits.
func (m commandMenu) again() {
	select {
	case m.other <- struct{}{}:
	default:
	}
}

// offer makes Telegram offer the commands that there are, and takes away what an
// earlier hermes left: soon after the start, and whenever the rules have changed. What
// fails is only logged and tried again later, as Telegram says; commands work without.
func (d *Daemon) offer(ctx context.Context) {
	wait := time.NewTimer(OfferAfter)
	defer wait.Stop()
	failed, logged := 0, telegram.Reason("")
	for {
		select {
		case <-wait.C:
		case <-d.offered.other:
		case <-ctx.Done():
			return
		}
		private, groups := d.commands()
		err := d.Bot.SetCommands(ctx, private, groups)
		var e *telegram.Error
		if err == nil || !errors.As(err, &e) || ctx.Err() != nil {
			failed, logged = 0, ""
			continue
		}
		if e.Reason != logged {
			logged = e.Reason
			d.log.Warn(unoffered(e), "op", e.Op, "reason", e.Reason, "err", e)
		}
		if e.Temporary() {
			wait.Reset(max(e.RetryAfter, time.Minute<<min(failed, 6)))
			failed++
		}
	}
}

// unoffered says what a failure means and what there is to do.
func unoffered(e *telegram.Error) string {
	if e.Temporary() {
		return "the menu of commands was not set; they work without, and hermes tries again"
	}
	return "the menu of commands was not set; they work without, and the next start tries again"
}

// commands are what is offered in private chats and in groups. Where nobody may drive
// sessions there is nothing to offer but /start.
func (d *Daemon) commands() (private, groups []string) {
	if d.remote != nil && d.RulesInForce().HasDrivers() {
		groups = sessions.Commands()
	}
	return append(slices.Clone(groups), "start"), groups
}
