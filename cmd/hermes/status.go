package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/internal/standby"
)

// statusCommand shows how the running hermes does.
func statusCommand() *cobra.Command {
	var asJSON bool
	cmd := withHermes(&cobra.Command{
		Use:   "status",
		Short: "Show how the running hermes does, on one screen",
		Long: "Show how the running hermes does: since when it runs, what is connected, what waits, Telegram, the database, its last backup, the rules and the disk. " +
			"The exit code is 0 if a question would reach somebody now, and 1 if none would, which the last lines explain, or if no hermes runs. " +
			"hermes doctor looks further, and says what to do.",
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, _ []string) error {
		return statusOf(cmd, hermes, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write what GET /v1/status returns, on one line")
	return cmd
}

// statusOf shows the hermes that acts. Where this machine has only a standby, and no address of the one that acts, it says which one that is.
func statusOf(cmd *cobra.Command, hermes apiclient.Client, asJSON bool) error {
	c := hermes.Config
	err := showStatus(cmd, hermes, asJSON)
	if _, told := errors.AsType[exitError](err); c.Store != "" && !asJSON && (err == nil || told) {
		if wrong := ownState(cmd, hermes); wrong != nil {
			return wrong
		}
		return err
	}
	if c.Store == "" || asJSON || errors.Is(err, apiclient.ErrNotRunning) {
		return err
	}
	a, lookErr := database.Look(cmd.Context(), c)
	if text := sameURL(database.Self(c), a.Holder); a.Held && text != "" {
		_, printErr := fmt.Fprint(cmd.OutOrStdout(), text)
		return errors.Join(err, printErr)
	}
	if !errors.Is(err, apiclient.ErrStandby) {
		return err
	}
	if lookErr != nil || !a.Held {
		return errors.Join(err, lookErr)
	}
	acting := api.Lease{Name: a.Name, Address: a.Address, Epoch: a.Epoch, Age: a.Age.Seconds(), Delay: a.Delay.Seconds()}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "This hermes stands by for %s.\nName both in HERMES_PUBLIC_URL, separated by a comma, to see more of that one here.\n", leaseState(acting))
	return err
}

// ownState says of the hermes of this machine why it is not the one that was shown; nothing if it is.
func ownState(cmd *cobra.Command, hermes apiclient.Client) error {
	why := hermes.WhyNotActing(cmd.Context())
	if why == "" {
		return nil
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), console.Wrap("the hermes of this machine does not act: "+letters.Escaped(why), padRight("here", statusColumn), strings.Repeat(" ", statusColumn), statusWidth))
	return err
}

// sameURL says that the hermes of another machine acts under the address of this one; nothing if that is not so.
func sameURL(own, acting standby.Holder) string {
	if acting.Name == own.Name || acting.Address != own.Address {
		return ""
	}
	return fmt.Sprintf("%s acts under the address of this machine, %s: in HERMES_PUBLIC_URL each machine needs its own address first, then the other one's.\n",
		letters.Escaped(acting.Name), letters.Escaped(own.Address))
}

func showStatus(cmd *cobra.Command, hermes apiclient.Client, asJSON bool) error {
	var s api.Status
	if err := hermes.Fetch(cmd.Context(), http.MethodGet, "/v1/status", nil, &s); err != nil {
		return err
	}
	text := statusText(s, time.Now())
	if s.Lease != nil {
		text += sameURL(database.Self(hermes.Config), standby.Holder{Name: s.Lease.Name, Address: s.Lease.Address})
	}
	if asJSON {
		text = escapeJSON(compactJSON(s)) + "\n"
	}
	if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
		return err
	}
	if len(s.NotReady) > 0 {
		return exitError{exitFailure, ""}
	}
	return nil
}

// statusText is the screen: a line for each part, and why no question would reach anybody.
func statusText(s api.Status, now time.Time) string {
	rows := [][2]string{
		{"hermes", letters.Escaped(strings.TrimPrefix(s.Version, "hermes ")) + upFor(s.Started, now)},
		{"OpenCode", connected(s)},
		{"asks", asksOpen(s.Asks, now)},
		{"Telegram", telegramState(s, now)},
		{"database", databaseState(s)},
		{"backup", backupState(s, now)},
		{"rules", rulesState(s.Rules)},
	}
	if s.Lease != nil {
		rows = append(rows, [2]string{"acts", leaseState(*s.Lease)})
	}
	if s.Free != nil {
		rows = append(rows, [2]string{"disk", sizeOf(*s.Free) + " free"})
	}
	for _, reason := range s.NotReady {
		rows = append(rows, [2]string{"NOT READY", letters.Escaped(reason)})
	}
	text := ""
	for _, row := range rows {
		text += console.Wrap(row[1], padRight(row[0], statusColumn), strings.Repeat(" ", statusColumn), statusWidth)
	}
	return text
}

// The screen is for a terminal of 80 columns.
const (
	statusColumn = 11
	statusWidth  = 80
)

func connected(s api.Status) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, console.CountOf(n, what))
		}
	}
	processes := 0
	for _, l := range s.Open {
		if l.By == api.LinkedByProcess {
			processes++
		}
	}
	add(s.Links-processes, "plugin")
	if processes > 0 {
		parts = append(parts, fmt.Sprintf("%d by hermes link run", processes))
	}
	add(s.Answer, "server")
	if len(parts) == 0 {
		parts = []string{"none is connected"}
	}
	if away := len(s.Servers) - s.Answer; away > 0 && !s.Service {
		parts = append(parts, console.CountOf(away, "server")+" of HERMES_OPENCODE_URLS not connected")
	}
	if n := len(s.Refused); n > 0 {
		parts = append(parts, console.CountOf(n, "link")+" refused (hermes doctor)")
	}
	return strings.Join(parts, ", ")
}

func asksOpen(a api.OpenAsks, now time.Time) string {
	if a.Count == 0 || a.Oldest == nil {
		return "none open"
	}
	return fmt.Sprintf("%d open, the oldest for %s", a.Count, shortAge(*a.Oldest, now))
}

func telegramState(s api.Status, now time.Time) string {
	text := "not heard yet"
	if s.LastPoll != nil {
		text = "heard " + shortAge(*s.LastPoll, now) + " ago"
	}
	if s.Telegram != "" {
		text += "; " + letters.Escaped(s.Telegram)
	}
	var limits []string
	for limit := range s.Waiting {
		limits = append(limits, limit)
	}
	slices.Sort(limits)
	for _, limit := range limits {
		if n := s.Waiting[limit]; n > 0 {
			text += fmt.Sprintf("; %s held by the limit %q", console.CountOf(n, "card"), limit)
		}
	}
	return text
}

func databaseState(s api.Status) string {
	text := fmt.Sprintf("%s, schema %d, %d in the journal", sizeOf(uint64(max(0, s.Bytes))), s.Schema, s.Journal)
	if s.Unread > 0 {
		text += "; " + console.CountOf(s.Unread, "record") + " cannot be read; see the log"
	}
	if s.Store != "" {
		text += "; " + letters.Escaped(s.Store)
	}
	return text
}

func backupState(s api.Status, now time.Time) string {
	switch {
	case !s.Backups:
		return "no daily copy (HERMES_BACKUP_DIR is not set)"
	case s.LastBackup == nil:
		return "none yet"
	}
	return shortAge(*s.LastBackup, now) + " ago"
}

func rulesState(r api.RulesInForce) string {
	if r.File == "" {
		return "none (HERMES_RULES is not set)"
	}
	return letters.Escaped(r.File) + ", " + console.CountOf(r.Count, "rule")
}

// leaseState is who of several hermes answers, and how it stands with the database.
func leaseState(l api.Lease) string {
	return fmt.Sprintf("%s at %s, the %d. to act; lease renewed %s ago, in %s",
		letters.Escaped(l.Name), letters.Escaped(l.Address), l.Epoch, seconds(l.Age), seconds(l.Delay))
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

// upFor is since when hermes runs; empty: it is too old to tell.
func upFor(started, now time.Time) string {
	if started.IsZero() {
		return ""
	}
	return ", up " + shortAge(started, now)
}

// shortAge is how long ago something was, in its largest unit or two.
func shortAge(at, now time.Time) string {
	d := max(0, now.Sub(at))
	if days := int(d / (24 * time.Hour)); days > 0 {
		return fmt.Sprintf("%dd%02dh", days, int(d/time.Hour)%24)
	}
	return shortDuration(d)
}
