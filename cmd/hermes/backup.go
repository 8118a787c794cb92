package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/backup"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/pending"
)

// backupCommand copies the database.
func backupCommand() *cobra.Command {
	var replace bool
	cmd := withHermes(&cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a file, whether hermes runs or not",
		Long: "Copy the database, as of one moment, to a file that only you can read. A running hermes gives the copy and goes on working. " +
			"The copy is read again before the file gets its name: every record, and the chain of the journal. hermes restore takes it back. " +
			"It has every question and answer in it, but neither the bot's token nor the API's. HERMES_BACKUP_DIR makes one every day.",
		Args: cobra.ExactArgs(1),
	}, func(cmd *cobra.Command, hermes apiclient.Client, args []string) error {
		return backUp(cmd, hermes, args[0], replace)
	})
	cmd.Flags().BoolVar(&replace, "replace", false, "let it take the place of a file of that name")
	return cmd
}

func backUp(cmd *cobra.Command, hermes apiclient.Client, path string, replace bool) error {
	c := hermes.Config
	if path, err := filepath.Abs(path); err != nil || path == c.DB && c.Store == "" {
		return config.Mistakes{"FILE: must be another one than the database (HERMES_DB)"}
	}
	copied, err := backup.Write(path, replace, func(w io.Writer) error { return copyDatabase(cmd.Context(), hermes, w) })
	switch {
	case errors.Is(err, backup.ErrExists):
		return fmt.Errorf("%w; give another name, or --replace", err)
	case err != nil:
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", path, describeCopy(copied, time.Now()))
	if copied.Broken != nil {
		return fmt.Errorf("the file is there, but its journal is not whole, as in the database: %w", copied.Broken)
	}
	return nil
}

// copyDatabase asks the running hermes for a copy. Where none runs it copies the file.
func copyDatabase(ctx context.Context, hermes apiclient.Client, w io.Writer) error {
	res, err := hermes.Call(ctx, http.MethodGet, "/v1/backup", nil)
	if err == nil {
		_, err = io.Copy(w, res.Body) // fails where less comes than was announced
		return errors.Join(err, res.Body.Close())
	}
	if !hermes.MayRead(err) {
		return err
	}
	c := hermes.Config
	s, readErr := database.Read(ctx, c)
	switch {
	case errors.Is(readErr, fs.ErrNotExist):
		return database.Missing(c)
	case errors.Is(readErr, pending.ErrLocked):
		return fmt.Errorf("a hermes uses %s, and %w: give this command its configuration", c.DB, err)
	case readErr != nil:
		return readErr
	}
	return errors.Join(s.Backup(w, func(int64) {}), s.Close())
}

// describeCopy says what a copy holds and how old it is.
func describeCopy(c pending.Copied, now time.Time) string {
	text := fmt.Sprintf("%s, %s open, %d in the journal", sizeOf(uint64(c.Bytes)), console.CountOf(c.Open, "ask"), c.Chain.Entries)
	if c.At.IsZero() {
		return text
	}
	return text + ", as of " + localTime(c.At) + " (" + shortAge(c.At, now) + " ago)"
}

// sizeOf is a number of bytes in a unit of which there are not too many.
func sizeOf(bytes uint64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes < 10*mib:
		return fmt.Sprintf("%d KiB", bytes/kib)
	case bytes < 10*gib:
		return fmt.Sprintf("%d MiB", bytes/mib)
	}
	return fmt.Sprintf("%d GiB", bytes/gib)
}
