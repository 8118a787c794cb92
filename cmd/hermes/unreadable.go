package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/pending"
)

// unreadableCommand looks at the records that could not be read.
func unreadableCommand() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "unreadable",
		Short: "List the records that cannot be read, and put them back",
		Long: "List the records that hermes could not read and set aside at its start: where each was, and why it is unreadable.\n" +
			"Each is kept byte for byte. A later hermes that can read one puts it back by itself when it starts.\n\n" +
			"No hermes may use the database meanwhile: stop it first.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return readDatabase(cmd.Context(), opts, func(s *pending.Store) error { return listUnreadable(cmd.OutOrStdout(), s) })
		},
	}
	cmd.PersistentFlags().StringVar(&opts.File, "config", "", "`file` of HERMES_ variables (default $XDG_CONFIG_HOME/hermes/hermes.env, if it exists)")
	cmd.AddCommand(unreadableShow(&opts), unreadableRestore(&opts), unreadableForget(&opts))
	return cmd
}

func unreadableShow(opts *config.Options) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Write a record that was set aside, byte for byte", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := recordNumber(args[0])
			if err != nil {
				return err
			}
			return readDatabase(cmd.Context(), *opts, func(s *pending.Store) error { return showUnreadable(cmd.OutOrStdout(), s, n) })
		},
	}
}

func unreadableRestore(opts *config.Options) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "restore NUMBER", Short: "Put a record back where it was, as it is or corrected", Args: cobra.ExactArgs(1),
		Long: "Put a record back where it was, with the content of --file if that is given.\n" +
			"A record that this hermes cannot read, or that would replace another one, is refused.",
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := recordNumber(args[0])
			if err != nil {
				return err
			}
			var value []byte
			if file != "" {
				if value, err = os.ReadFile(file); err != nil {
					return fmt.Errorf("--file: %w", err)
				}
			}
			err = changeDatabase(cmd.Context(), *opts, func(s *pending.Store) error { return s.Unreadable().Restore(n, value) })
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "record %d is back where it stood; hermes serve takes it up\n", n)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "a `file` with the record as it should be")
	return cmd
}

func unreadableForget(opts *config.Options) *cobra.Command {
	return &cobra.Command{
		Use: "forget NUMBER", Short: "Remove a record that was set aside, for good", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := recordNumber(args[0])
			if err != nil {
				return err
			}
			err = changeDatabase(cmd.Context(), *opts, func(s *pending.Store) error { return s.Unreadable().Delete(n) })
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "record %d is removed\n", n)
			}
			return err
		},
	}
}

func recordNumber(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n == 0 {
		return 0, config.Mistakes{"NUMBER: must be one that hermes unreadable lists"}
	}
	return n, nil
}

func listUnreadable(out io.Writer, s *pending.Store) error {
	list, err := s.Unreadable().All()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintln(out, "all records can be read")
	}
	for _, u := range list {
		number, since := "new", "it is set aside when hermes starts"
		if u.Number > 0 {
			number, since = strconv.FormatUint(u.Number, 10), "set aside "+localTime(u.At)
		}
		fmt.Fprintf(out, "%s  %s %q, %s, %s: %s\n", number, letters.Escaped(u.Bucket), u.Key, console.CountOf(len(u.Value), "byte"), since, letters.Escaped(u.Reason))
	}
	return nil
}

func showUnreadable(out io.Writer, s *pending.Store, n uint64) error {
	list, err := s.Unreadable().All()
	if err != nil {
		return err
	}
	for _, u := range list {
		if u.Number == n {
			_, err := out.Write(u.Value)
			return err
		}
	}
	return fmt.Errorf("no record of number %d is set aside", n)
}

// readDatabase reads the file that no hermes uses.
func readDatabase(ctx context.Context, opts config.Options, read func(*pending.Store) error) error {
	return withDatabase(ctx, opts, database.Read, read)
}

// changeDatabase changes it.
func changeDatabase(ctx context.Context, opts config.Options, change func(*pending.Store) error) error {
	return withDatabase(ctx, opts, func(ctx context.Context, c config.Config) (*pending.Store, error) {
		if c.Store == "" {
			if err := pending.Usable(c.DB); err != nil {
				return nil, err // Open would make what is not there
			}
		}
		return database.Open(ctx, c)
	}, change)
}

func withDatabase(ctx context.Context, opts config.Options, open func(context.Context, config.Config) (*pending.Store, error), use func(*pending.Store) error) error {
	c, err := config.Load(opts)
	if err != nil {
		return err
	}
	s, err := open(ctx, c)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return database.Missing(c)
	case errors.Is(err, pending.ErrLocked) && c.Store != "":
		return fmt.Errorf("%w; stop every hermes that shares the database first", pending.ErrLocked)
	case errors.Is(err, pending.ErrLocked):
		return fmt.Errorf("a hermes uses %s: stop it first (systemctl --user stop hermes, or as you started it)", database.Name(c))
	case err != nil:
		return err
	}
	return errors.Join(use(s), s.Close())
}
