package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// pluginCommand manages the plugin in OpenCode's configuration folder.
func pluginCommand() *cobra.Command {
	return groupOf(&cobra.Command{
		Use:   "plugin",
		Short: "Install, remove or check the plugin that links OpenCode to hermes",
	}, pluginInstall(), pluginUninstall(), pluginStatus())
}

// installOptions are the flags of hermes plugin install.
type installOptions struct {
	config.Options
	plugin    plugin.Options
	tokenFile string
	code      string
}

func pluginInstall() *cobra.Command {
	var opts installOptions
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Write the plugin and its link file",
		Long: "Write the plugin into OpenCode's configuration folder and, readable by you alone, a file with the address of hermes and the token of a " +
			"link. On the machine of hermes itself a link is made, unless the installed one still works. On another machine, run " +
			"the command that the bot answers to /link, which holds a code that works once; or run hermes link add NAME where hermes runs first, " +
			"and give its token with --token-file. Once it has a link, hermes plugin install alone brings the plugin up to date, and with --url adds " +
			"the addresses of other hermes that share its store.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return installPlugin(cmd, opts) },
	}
	configFlag(cmd, &opts.Options)
	urlFlag(cmd, &opts.plugin, "`URL` of hermes; of several that share a store give each, or all with commas between (default from HERMES_LISTEN)")
	cmd.Flags().StringVar(&opts.tokenFile, "token-file", "", "`file` that holds the token of a link, as hermes link add prints it (default: make one)")
	codeFlag(cmd, &opts.code)
	configDirFlag(cmd, &opts.plugin)
	return cmd
}

func installPlugin(cmd *cobra.Command, opts installOptions) error {
	var wrong config.Mistakes
	o := opts.plugin
	o.URLs = readURLs(o.URLs, &wrong)
	o.Token = readLinkToken(opts.tokenFile, &wrong)
	if opts.code != "" && (len(o.URLs) == 0 || opts.tokenFile != "") {
		wrong.Add("--code", "is given together with --url, and without --token-file")
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	if opts.code != "" {
		return installWithCode(cmd, o, secret.Text(opts.code))
	}
	c, err := config.Load(opts.Options)
	if err != nil {
		return err
	}
	if o.Token == "" && !c.IsHere() {
		o = keepLink(o)
	}
	elsewhere := len(o.URLs) > 0 && !slices.Contains(o.URLs, c.OwnURL())
	if len(o.URLs) == 0 {
		o.URLs = c.Addresses()
	}
	made := ""
	if o.Token == "" {
		if elsewhere && !c.IsHere() {
			return errors.New("there is no hermes on this machine that could make a link (neither HERMES_TELEGRAM_TOKEN nor a database); run hermes link add NAME where hermes runs, and give its token with --token-file")
		}
		if o.Token, made, err = apiclient.LinkToken(cmd.Context(), apiclient.New(c, nil), o); err != nil {
			return err
		}
	}
	report, err := plugin.Install(o)
	if err != nil {
		return err
	}
	printInstalled(cmd.OutOrStdout(), report, made)
	return nil
}

// keepLink takes the addresses and the token of the link that is installed, if one is: where no hermes was set up they lead to that of
// another machine, and a new plugin goes on with them. The token stays as well if addresses are given, one of which it has been for.
func keepLink(o plugin.Options) plugin.Options {
	state, err := plugin.Status(o)
	token := apiclient.LinkTokenOf(o)
	isOf := func(url string) bool { return slices.Contains(state.URLs, url) }
	switch {
	case err != nil || len(state.URLs) == 0 || !link.IsToken(token):
	case len(o.URLs) == 0:
		o.URLs, o.Token = state.URLs, token
	case slices.ContainsFunc(o.URLs, isOf):
		o.Token = token
	}
	return o
}

// installWithCode gets a link for a code, and writes it down with the plugin.
func installWithCode(cmd *cobra.Command, o plugin.Options, code secret.Text) error {
	if _, err := plugin.Status(o); err != nil { // nothing could be written
		return err
	}
	token, name, err := apiclient.Exchange{URLs: o.URLs, Code: code, Host: apiclient.Hostname()}.Do(cmd.Context())
	if err != nil {
		return err
	}
	o.Token = token
	report, err := plugin.Install(o)
	if err != nil {
		return fmt.Errorf("link %s was made, but could not be written down; write /link to the bot again, and revoke this one (hermes link revoke %s): %w", name, name, err)
	}
	printInstalled(cmd.OutOrStdout(), report, name)
	return nil
}

func urlFlag(cmd *cobra.Command, o *plugin.Options, usage string) {
	cmd.Flags().StringSliceVar(&o.URLs, "url", nil, usage)
}

// readURLs reads the URLs that --url names.
func readURLs(given []string, wrong *config.Mistakes) []string {
	var urls []string
	for _, one := range given {
		if u := (config.Reader{Wrong: wrong}).URL("--url", strings.TrimSpace(one)); u != "" {
			urls = append(urls, u)
		}
	}
	return urls
}

func codeFlag(cmd *cobra.Command, code *string) {
	cmd.Flags().StringVar(code, "code", "", "`code` that the bot answers to /link; it works once")
}

func configDirFlag(cmd *cobra.Command, o *plugin.Options) {
	cmd.Flags().StringVar(&o.ConfigDir, "config-dir", "", "OpenCode's configuration `folder` (default as OpenCode finds it)")
}

// readLinkToken reads the file that --token-file names, "" for none.
func readLinkToken(path string, wrong *config.Mistakes) secret.Text {
	if path == "" {
		return ""
	}
	text, _, err := config.ReadSmall(path)
	if err != nil {
		wrong.Add("--token-file", "cannot be read: %v", config.WithoutPath(err))
		return ""
	}
	token := secret.Text(strings.TrimSpace(text))
	if !link.IsToken(token) {
		wrong.Add("--token-file", "holds no token of a link, which begins with hermes_link_; hermes link add NAME prints one, where hermes runs")
		return ""
	}
	return token
}

// printInstalled says what was done; made is the name of a link that was made for it, empty for none.
func printInstalled(w io.Writer, r plugin.Report, made string) {
	fmt.Fprintf(w, "plugin     %s (version %s)\nlink file  %s\n", r.Plugin, r.Version, r.Link)
	if made != "" {
		fmt.Fprintf(w, "link       %s (hermes link revoke %s makes its token worthless)\n", made, made)
	}
	printNotes(w, r)
	if r.Changed {
		fmt.Fprintln(w, "Restart OpenCode to load it.")
	} else {
		fmt.Fprintln(w, "Nothing has changed.")
	}
}

// printNotes says what should be known of files that were changed by hand, and of others.
func printNotes(w io.Writer, r plugin.Report) {
	if r.Kept != "" {
		fmt.Fprintf(w, "A plugin file that was changed by hand is kept as %s.\n", r.Kept)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
}

func pluginUninstall() *cobra.Command {
	var o plugin.Options
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the plugin and its link file",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := plugin.Uninstall(o)
			if err != nil {
				return err
			}
			printRemoved(cmd.OutOrStdout(), report)
			return nil
		},
	}
	configDirFlag(cmd, &o)
	return cmd
}

func printRemoved(w io.Writer, r plugin.Report) {
	if r.Changed {
		fmt.Fprintf(w, "Removed %s and %s. OpenCode unloads it when it is restarted.\n", r.Plugin, r.Link)
		fmt.Fprintln(w, "Its token still counts until hermes link revoke NAME is run where hermes runs; hermes link list tells the names.")
	} else {
		fmt.Fprintln(w, "It is not installed.")
	}
	printNotes(w, r)
}

func pluginStatus() *cobra.Command {
	var o plugin.Options
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say whether the plugin is installed and current; exit 1 if not",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			state, err := plugin.Status(o)
			if err != nil {
				return err
			}
			return printState(cmd.OutOrStdout(), state)
		},
	}
	configDirFlag(cmd, &o)
	return cmd
}

func printState(w io.Writer, s plugin.State) error {
	fmt.Fprintf(w, "plugin     %s\nlink file  %s\n", s.Plugin, s.Link)
	for i, url := range s.URLs {
		fmt.Fprintf(w, "%-10s %s\n", [...]string{"hermes at", "or at"}[min(i, 1)], url)
	}
	for _, warning := range s.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	switch {
	case !s.Installed:
		return errors.New("the plugin is not installed; run hermes plugin install")
	case s.Edited:
		return errors.New("the plugin was changed by hand; hermes plugin install keeps that aside and writes its own")
	case !s.Current:
		return fmt.Errorf("the plugin is version %s, this hermes has %s; run hermes plugin install and restart OpenCode", s.Version, plugin.Version())
	case len(s.URLs) == 0:
		return errors.New("the link file is missing or no good; run hermes plugin install")
	}
	fmt.Fprintf(w, "installed, version %s\n", s.Version)
	return nil
}
