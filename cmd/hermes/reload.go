package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/letters"
)

// reloadCommand asks the running hermes to reload.
func reloadCommand() *cobra.Command {
	return withHermes(&cobra.Command{
		Use:   "reload",
		Short: "Make the running hermes read its rules and log level again",
		Long: "Make the running hermes read the file of HERMES_RULES and HERMES_LOG_LEVEL again, and print what changed. SIGHUP does the same. " +
			"Other settings that have changed in its configuration file are named: they need a restart. Its environment stays as it was at its start. " +
			"If a file has mistakes, all of them are named, the exit code is 2, and everything stays as it was.",
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, _ []string) error { return askReload(cmd, hermes) })
}

func askReload(cmd *cobra.Command, hermes apiclient.Client) error {
	var told api.Reloaded
	err := hermes.Own().Fetch(cmd.Context(), http.MethodPost, "/v1/reload", nil, &told)
	if errors.Is(err, apiclient.ErrStandby) {
		return errors.New("this hermes is a standby: it reads its rules when it takes over; for the one that acts, run hermes reload on its machine")
	}
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if len(told.Changes) == 0 && told.Rules != "" {
		fmt.Fprintln(out, letters.Escaped(told.Rules)+": nothing has changed")
	}
	for _, line := range told.Changes {
		fmt.Fprintln(out, letters.Escaped(line))
	}
	for _, name := range told.Restart {
		fmt.Fprintln(out, letters.Escaped(name)+": has changed, and needs a restart")
	}
	return nil
}
