package main

import (
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/letters"
)

// reloadCommand asks the running hermes to reload.
func reloadCommand() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "reload",
		Short: "Make the running hermes read a changed rules file",
		Long: "Make the running hermes read the file of HERMES_RULES again, and print what changed. SIGHUP does the same.\n" +
			"If the file has mistakes, all of them are named, the exit code is 2, and the old rules stay. Other settings need a restart.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(opts)
			if err != nil {
				return err
			}
			return askReload(cmd, apiclient.New(c, nil))
		},
	}
	configFlag(cmd, &opts)
	return cmd
}

func askReload(cmd *cobra.Command, hermes apiclient.Client) error {
	var told api.Reloaded
	if err := hermes.Fetch(cmd.Context(), http.MethodPost, "/v1/reload", nil, &told); err != nil {
		return hermes.Explain(err)
	}
	out := cmd.OutOrStdout()
	if len(told.Changes) == 0 {
		fmt.Fprintln(out, letters.Escaped(told.Rules)+": nothing has changed")
	}
	for _, line := range told.Changes {
		fmt.Fprintln(out, letters.Escaped(line))
	}
	return nil
}
