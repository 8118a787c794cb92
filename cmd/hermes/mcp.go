package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"hermes/internal/ask"
)

// mcpCommand lets other agents ask.
func mcpCommand() *cobra.Command {
	var opts options
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let other agents ask: an MCP server on standard input and output",
		Long: "Let agents that speak the Model Context Protocol ask the people that answer for OpenCode, with the tool ask_user.\n" +
			"It is started by the agent's program, as docs/agents.md tells, and speaks with the hermes that runs.\n" +
			"What is open is withdrawn when that program cancels it, closes standard input, or ends.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd, opts) },
	}
	configFlag(cmd, &opts)
	return cmd
}

// runMCP serves one client. Standard output carries nothing but the protocol.
func runMCP(cmd *cobra.Command, opts options) error {
	c, err := loadConfig(opts)
	if err != nil {
		return err
	}
	redact := newRedactor(append(c.secrets(), toRunning(c, nil).token)...)
	log := newLogger(cmd.ErrOrStderr(), c.LogLevel, c.LogFormat, redact)
	stdio := &mcp.IOTransport{Reader: io.NopCloser(cmd.InOrStdin()), Writer: notClosed{cmd.OutOrStdout()}}
	err = ask.ServeMCP(cmd.Context(), stdio, ownVersion(), log, runningHermes(c, nil))
	if err != nil {
		return redact.error(err)
	}
	return nil
}

// notClosed is standard output, which is not the transport's to close.
type notClosed struct{ io.Writer }

func (notClosed) Close() error { return nil }

// runningHermes asks through the hermes that runs when the call comes: it, and its token, may
// be younger than this process. A way of nil is the network. Its errors show no secret.
func runningHermes(c config, way http.RoundTripper) ask.People {
	return func(ctx context.Context, body []byte, told func(ask.Result, bool)) (ask.Result, error) {
		hermes := toRunning(c, way)
		result, err := hermes.askPeople(ctx, body, told)
		var fault *ask.Fault
		switch {
		case err == nil || errors.As(err, &fault):
			return result, err
		case errors.Is(err, errNotRunning):
			err = fmt.Errorf("nobody was asked: %w; %s", err, startIt)
		case refusedWith(err, http.StatusBadRequest):
			err = fmt.Errorf("nobody was asked, as hermes refused it: %w", err)
		}
		return result, newRedactor(append(c.secrets(), hermes.token)...).error(err)
	}
}
