// Command hermes carries the questions of OpenCode sessions to Telegram and the
// answers back.
//
// This package reads the configuration, builds the parts and runs them. It is
// the only one that imports all others, and the only one that ends the process.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"hermes/internal/config"
)

// Exit codes: 0 is success and an asked-for stop (SIGINT, SIGTERM).
const (
	exitFailure = 1
	exitUsage   = 2 // wrong use or wrong configuration: a restart will not help
)

// exitError is the end of a command whose exit code tells what came of it.
type exitError struct {
	code int
	text string // for people; empty: nothing needs saying
}

func (e exitError) Error() string { return e.text }

// streams is what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// run carries out one command line and returns the exit code. SIGINT and SIGTERM
// cancel the command's context.
func run(args []string, std streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	root, begun := rootCommand(std), false
	root.SetArgs(args)
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(std.err, "hermes: "+strings.TrimRight(line, "\n"))
	}
	return exitCode(err, begun)
}

// exitCode tells a failure from a mistake of whoever started hermes, and from an end
// with a code of its own. What fails
// before a command has begun is cobra's refusal of the command line.
func exitCode(err error, begun bool) int {
	var end exitError
	if errors.As(err, &end) {
		return end.code
	}
	var wrong config.Mistakes
	if !begun || errors.As(err, &wrong) {
		return exitUsage
	}
	return exitFailure
}

// rootCommand returns the whole command tree. Commands must not have a
// PersistentPreRun of their own: run needs the root's.
func rootCommand(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "hermes",
		Short: "Carries the questions of OpenCode sessions to Telegram and the answers back",
		Long: "hermes carries OpenCode's questions to Telegram and the answers back.\n\n" +
			"  hermes try      see it in the browser; needs no account\n" +
			"  hermes setup    set it up, step by step\n" +
			"  hermes doctor   find what is wrong",
		Args:          cobra.NoArgs,
		RunE:          helpOrVersion,
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	// Cobra's own flag would print in its own form; a template for another one would link text/template, and 2.7 MB with it.
	root.Flags().BoolP("version", "v", false, "print the version of hermes and of the Go that built it")
	root.SetFlagErrorFunc(wrongFlag)
	addCommands(root)
	completeValues(root)
	refuseInWords(root)
	wrapHelp(root)
	return root
}

// helpOrVersion is hermes without a command.
func helpOrVersion(cmd *cobra.Command, _ []string) error {
	if wanted, _ := cmd.Flags().GetBool("version"); wanted {
		return printVersion(cmd)
	}
	return cmd.Help()
}

// addCommands adds all commands, in groups for the help.
func addCommands(root *cobra.Command) {
	root.AddGroup(
		&cobra.Group{ID: groupBegin, Title: "Begin:"},
		&cobra.Group{ID: groupAsk, Title: "Ask and answer:"},
		&cobra.Group{ID: groupAccess, Title: "People and machines:"},
		&cobra.Group{ID: groupCare, Title: "Look after it:"},
	)
	root.AddCommand(inGroup(groupBegin,
		tryCommand(),
		suggestFor(setupCommand(), "init", "install", "configure"),
		suggestFor(serveCommand(), "start", "run", "daemon"),
		suggestFor(doctorCommand(), "check"),
	)...)
	root.AddCommand(inGroup(groupAsk,
		suggestFor(pendingCommand(), "ls", "list"),
		answerCommand(),
		askCommand(),
		mcpCommand(),
		suggestFor(traceCommand(), "log", "logs"),
		suggestFor(auditCommand(), "journal"),
	)...)
	root.AddCommand(inGroup(groupAccess,
		pairCommand(),
		pluginCommand(),
		linkCommand(),
		rulesCommand(),
	)...)
	root.SetHelpCommand(helpCommand())
	root.SetHelpCommandGroupID(groupCare)
	root.SetCompletionCommandGroupID(groupCare)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.AddCommand(inGroup(groupCare,
		suggestFor(statusCommand(), "uptime"),
		configCommand(),
		reloadCommand(),
		backupCommand(),
		restoreCommand(),
		versionCommand(),
	)...)
	root.AddCommand(manCommand())
}

// configFlag gives a command that needs the configuration its --config.
func configFlag(cmd *cobra.Command, opts *config.Options) {
	cmd.Flags().StringVar(&opts.File, "config", "", "`file` of HERMES_ variables (default $XDG_CONFIG_HOME/hermes/hermes.env, if it exists)")
}
