package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/pending"
)

// restoreCommand puts a backup in the place of the database.
func restoreCommand() *cobra.Command {
	return withHermes(&cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database; hermes must not run",
		Long: "Read the whole backup, keep the database that is there beside it, and put a copy of the backup in its place. " +
			"With HERMES_STORE what was there is kept as a file beside the backup, and no hermes of that database must run. " +
			"What was decided after the backup is not known any more: at its next start hermes asks OpenCode what still waits, and only that is " +
			"asked again. Nothing that may have been sent since is sent again. Asks of programs (hermes ask) end, and invitations are void. " +
			"People and links that were removed since are there again: look with hermes pair --list and hermes link list.",
		Args: cobra.ExactArgs(1),
	}, func(cmd *cobra.Command, hermes apiclient.Client, args []string) error {
		if hermes.Config.Store == "" { // else the lease tells
			if err := refuseRunning(cmd.Context(), hermes); err != nil {
				return err
			}
		}
		return restore(cmd, hermes.Config, args[0])
	})
}

// refuseRunning fails where a hermes with this configuration runs, also one whose database was
// removed: its lock is on a file that has no name any more.
func refuseRunning(ctx context.Context, hermes apiclient.Client) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	res, err := hermes.Do(ctx, http.MethodGet, "/healthz", nil)
	if err == nil {
		_ = res.Body.Close()
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return nil
	}
	return fmt.Errorf("something answers at %s (HERMES_LISTEN), so hermes may run; %s, and then restore", hermes.Config.OwnURL(), apiclient.HowToStop())
}

func restore(cmd *cobra.Command, c config.Config, path string) error {
	out := cmd.OutOrStdout()
	if err := isBackup(path); err != nil {
		return err
	}
	r, err := database.Restore(cmd.Context(), c, path)
	switch {
	case errors.Is(err, pending.ErrLocked) && c.Store != "":
		return fmt.Errorf("%w: stop every hermes of this database first, also those that stand by", err)
	case errors.Is(err, pending.ErrLocked):
		return fmt.Errorf("a hermes uses %s: stop it first; %s", database.Name(c), apiclient.HowToStop())
	case err != nil && r.Aside != "":
		return fmt.Errorf("%w; what was there before is in %s", err, r.Aside)
	case err != nil:
		return err
	}
	fmt.Fprintf(out, "%s is the backup now: %s\n", database.Name(c), describeCopy(r.Copied, time.Now()))
	if r.Aside != "" {
		fmt.Fprintf(out, "The database that was there is %s; delete it when you do not need it.\n", r.Aside)
	}
	for _, line := range consequences(r) {
		fmt.Fprintln(out, "- "+letters.Escaped(line))
	}
	fmt.Fprintf(out, "Look at who is let in again: hermes pair --list, hermes link list. Then %s.\n", apiclient.HowToStart(c))
	return nil
}

// isBackup says of a file that is no backup what it is: what is told of a database names HERMES_DB.
func isBackup(path string) error {
	info, _ := os.Stat(path)
	switch err := pending.Usable(path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.Is(err, pending.ErrLink):
		return fmt.Errorf("%s is a symbolic link; name the file itself", path)
	case errors.Is(err, pending.ErrForeign), err == nil && info != nil && info.Size() == 0:
		return fmt.Errorf("%s is no backup that hermes made; nothing was changed", path)
	}
	return nil // all else pending.Restore tells
}

// consequences are what the restored database does not do any more, where there is any of it.
func consequences(r pending.Restored) (lines []string) {
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Open - len(r.Asks), "OpenCode's asks that had not ended then: %d. hermes asks OpenCode what still waits, and asks people only that again"},
		{len(r.Undone), "decisions that could be taken back then: %d. People are asked again, if OpenCode still waits"},
		{len(r.Asks), "asks of programs that had not ended then: %d. They end, as nothing tells whether they were answered since"},
		{r.Prompts, "prompts that waited then: %d. Whether its session has it is told to whoever wrote it; none is sent again"},
		{r.Updates, "messages and taps that were not handled yet then: %d. They are dropped"},
		{r.Ways, "invitations and codes for machines: %d. They are void; make new ones"},
	} {
		if c.n > 0 {
			lines = append(lines, fmt.Sprintf(c.what, c.n))
		}
	}
	return lines
}
