package main

import (
	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/internal/version"
)

// mcpCommand lets other agents ask.
func mcpCommand() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let other agents ask: an MCP server on standard input and output",
		Long: "Let agents that speak the Model Context Protocol ask the people who answer for OpenCode, with the tool ask_user.\n" +
			"The agent's program starts it, as docs/scripts.md describes; it talks to the running hermes.\n" +
			"A question is withdrawn when that program cancels it, closes standard input, or ends.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd, opts) },
	}
	configFlag(cmd, &opts)
	return cmd
}

// runMCP serves one client. Standard output carries nothing but the protocol.
func runMCP(cmd *cobra.Command, opts config.Options) error {
	c, err := config.Load(opts)
	if err != nil {
		return err
	}
	redact := secret.NewRedactor(append(c.Secrets(), apiclient.New(c, nil).Token)...)
	log := secret.NewLogger(cmd.ErrOrStderr(), c.LogLevel, c.LogFormat, redact)
	err = ask.ServeMCP(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), version.Own(), log, apiclient.People(c, nil))
	if err != nil {
		return redact.Error(err)
	}
	return nil
}
