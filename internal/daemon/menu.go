package daemon

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"hermes/internal/sessions"
	"hermes/telegram"
)

// MenuDelay is how long after the start the menu of commands is seen to: what is asked
// and answered then goes first.
const MenuDelay = 2 * time.Second

// commandMenu is what Telegram's clients offer for a slash. Make it with newCommandMenu.
type commandMenu struct {
	changed chan struct{} // something that it depends on has changed
	log     *slog.Logger
}

func newCommandMenu(log *slog.Logger) commandMenu { return commandMenu{make(chan struct{}, 1), log} }

// update has the menu set once more. It never waits.
func (m commandMenu) update() {
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

// keep makes Telegram offer the commands that there are, and takes away what an
// earlier hermes left: soon after the start, and whenever the rules have changed. What
// fails is only logged and tried again later, as Telegram says; commands work without.
func (m commandMenu) keep(ctx context.Context, bot *telegram.Bot, commands func() (private, groups []string)) {
	wait := time.NewTimer(MenuDelay)
	defer wait.Stop()
	failed, logged := 0, telegram.Reason("")
	for {
		select {
		case <-wait.C:
		case <-m.changed:
		case <-ctx.Done():
			return
		}
		private, groups := commands()
		err := bot.SetCommands(ctx, private, groups)
		var e *telegram.Error
		if err == nil || !errors.As(err, &e) || ctx.Err() != nil {
			failed, logged = 0, ""
			continue
		}
		if e.Reason != logged {
			logged = e.Reason
			m.log.Warn(menuTrouble(e), "op", e.Op, "reason", e.Reason, "err", e)
		}
		if e.Temporary() {
			wait.Reset(max(e.RetryAfter, time.Minute<<min(failed, 6)))
			failed++
		}
	}
}

// menuTrouble says what a failure means and what there is to do.
func menuTrouble(e *telegram.Error) string {
	if e.Temporary() {
		return "the menu of commands was not set; they work without, and hermes tries again"
	}
	return "the menu of commands was not set; they work without, and the next start tries again"
}

// menuCommands are what is offered in private chats and in groups. Where nobody may drive
// sessions there is nothing to offer but /start.
func (d *Daemon) menuCommands() (private, groups []string) {
	if d.sessions != nil && d.Rules.InForce().HasDrivers() {
		groups = sessions.Commands()
	}
	private = slices.Clone(groups)
	if d.config.PublicURL != "" {
		private = append(private, "link")
	}
	return append(private, "start"), groups
}
