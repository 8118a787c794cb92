package main

import (
	"github.com/spf13/cobra"

	"hermes/internal/demo"
)

// tryCommand lets a person see hermes work, without an account.
func tryCommand() *cobra.Command {
	var o demo.Options
	cmd := &cobra.Command{
		Use:   "try",
		Short: "Try hermes in the browser; needs no account, token or OpenCode",
		Long: "Try hermes in the browser. The real hermes runs between a simulated Telegram, which the page shows as two " +
			"phones, and a simulated OpenCode, whose agent asks what you tell it to. Everything is kept in a temporary " +
			"folder, which is removed at the end. Ctrl-C ends it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo.Run(cmd.Context(), cmd.OutOrStdout(), o) },
	}
	cmd.Flags().BoolVar(&o.Own, "opencode", false, "your own OpenCode asks, through the plugin, HERMES_OPENCODE_SERVICE or HERMES_OPENCODE_URLS; the page is the phone")
	cmd.Flags().BoolVar(&o.NoBrowser, "no-browser", false, "do not open a browser, only print the page's address")
	cmd.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:0", "loopback address of the page; port 0 is a free one")
	return cmd
}
