package main

import (
	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/secret"
	"hermes/internal/version"
)

// mcpCommand lets other agents ask.
func mcpCommand() *cobra.Command {
	return withHermes(&cobra.Command{
		Use:   "mcp",
		Short: "Let other agents ask: an MCP server on standard input and output",
		Long: "Let agents that speak the Model Context Protocol ask the people who answer for OpenCode, with the tool ask_user. " +
			"The agent's program starts it, as docs/scripts.md describes; it talks to the running hermes. " +
			"A question is withdrawn when that program cancels it, closes standard input, or ends.",
		Args: cobra.NoArgs,
	}, runMCP)
}

// runMCP serves one client. Standard output carries nothing but the protocol.
func runMCP(cmd *cobra.Command, hermes apiclient.Client, _ []string) error {
	c := hermes.Config
	log := secret.NewLogger(cmd.ErrOrStderr(), c.LogLevel, c.LogFormat, hermes.Redactor())
	return ask.ServeMCP(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), version.Own(), log, apiclient.People(c, nil))
}
