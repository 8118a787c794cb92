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

	"hermes/internal/apiclient"
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
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		err := cmd.ValidateFlagGroups() // cobra itself looks when a command has begun
		begun = err == nil
		return err
	}
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(std.err, "hermes: "+strings.TrimRight(line, "\n"))
	}
	if !begun {
		fmt.Fprintf(std.err, "Usage: %s; %s --help says more\n", cmd.UseLine(), cmd.CommandPath())
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
		Args:          cobra.ArbitraryArgs, // helpOrVersion refuses them
		RunE:          helpOrVersion,
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	// Cobra's own flag would print in its own form; a template for another one would link text/template, and 2.7 MB with it.
	root.Flags().BoolP("version", "v", false, "print the version of hermes and of the Go that built it")
	addCommands(root)
	completeValues(root)
	wrapHelp(root)
	return root
}

// helpOrVersion is hermes without a command.
func helpOrVersion(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
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
	root.SetHelpCommandGroupID(groupCare)
	root.SetCompletionCommandGroupID(groupCare)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Run, help.RunE = nil, showHelp
	}
	root.AddCommand(inGroup(groupCare,
		suggestFor(statusCommand(), "uptime"),
		configCommand(),
		reloadCommand(),
		backupCommand(),
		restoreCommand(),
		versionCommand(),
	)...)
	root.AddCommand(manCommand(), stopCommand())
}

// configFlag gives a command that needs the configuration its --config.
func configFlag(cmd *cobra.Command, opts *config.Options) {
	cmd.Flags().StringVar(&opts.File, "config", "", "`file` of HERMES_ variables (default $XDG_CONFIG_HOME/hermes/hermes.env, if it exists)")
}

// withHermes gives a command its --config, and runs it with the way to the running hermes. Where none runs, the error says how to start
// it. No error shows a secret.
func withHermes(cmd *cobra.Command, run func(cmd *cobra.Command, hermes apiclient.Client, args []string) error) *cobra.Command {
	var opts config.Options
	configFlag(cmd, &opts)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := config.Load(opts)
		if err != nil {
			return err
		}
		hermes := apiclient.New(c, nil)
		return hermes.Redactor().Error(hermes.Explain(run(cmd, hermes, args)))
	}
	return cmd
}

// groupOf is a command that only holds others.
func groupOf(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		var names []string
		for _, one := range commands {
			names = append(names, one.CommandPath())
		}
		return config.Mistakes{"say what to do: " + strings.Join(names, ", ")}
	}
	return cmd
}
