package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"hermes/opencode/plugin"
)

// pluginCommand manages the plugin in OpenCode's configuration folder.
func pluginCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "Install, remove or look at the plugin that links OpenCode to hermes",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return mistakes{"say what to do: hermes plugin install, hermes plugin uninstall or hermes plugin status"}
		},
	}
	cmd.AddCommand(pluginInstall(), pluginUninstall(), pluginStatus())
	return cmd
}

func pluginInstall() *cobra.Command {
	var opts options
	var o plugin.Options
	var tokenFile string
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Write the plugin and its link file",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := linkTo(&o, opts, tokenFile); err != nil {
				return err
			}
			report, err := plugin.Install(o)
			if err != nil {
				return err
			}
			printInstalled(cmd.OutOrStdout(), report)
			return nil
		},
	}
	configFlag(cmd, &opts)
	cmd.Flags().StringVar(&o.URL, "url", "", "URL of hermes (default from HERMES_LISTEN)")
	cmd.Flags().StringVar(&tokenFile, "token-file", "", "file that holds the token of hermes' API (default the one of this machine's hermes)")
	configDirFlag(cmd, &o)
	return cmd
}

func configDirFlag(cmd *cobra.Command, o *plugin.Options) {
	cmd.Flags().StringVar(&o.ConfigDir, "config-dir", "", "OpenCode's configuration folder (default as OpenCode finds it)")
}

// linkTo finds out how the plugin reaches hermes: as told, else as this machine's
// hermes is configured. A token that does not exist yet is made, so that the order
// of install and first start does not matter.
func linkTo(o *plugin.Options, opts options, tokenFile string) error {
	var wrong mistakes
	o.URL = reader{&wrong}.url("--url", strings.TrimSpace(o.URL))
	given := readToken(tokenFile, &wrong)
	if err := wrong.err(); err != nil {
		return err
	}
	c, err := loadConfig(opts)
	if err != nil {
		return err
	}
	if given != "" {
		c.HookToken = given
	}
	token, err := hookToken(c)
	if err != nil {
		return err
	}
	o.Token = token
	if o.URL == "" {
		o.URL = c.ownURL()
	}
	return nil
}

// readToken reads the file that --token-file names, "" for none.
func readToken(path string, wrong *mistakes) secret {
	if path == "" {
		return ""
	}
	text, _, err := readSmall(path)
	if err != nil {
		wrong.add("--token-file", "cannot be read: %v", plain(err))
		return ""
	}
	var form mistakes
	token := reader{&form}.hookToken("", secret(strings.TrimSpace(text)))
	if token == "" {
		wrong.add("--token-file", "holds no token of hermes, which is one word of at least 16 characters; hermes serve keeps its own in hook-token beside its database")
	}
	return token
}

// ownURL is how a program on this machine reaches hermes.
func (c config) ownURL() string {
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(c.Listen) // checked when it was loaded
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

func printInstalled(w io.Writer, r plugin.Report) {
	fmt.Fprintf(w, "plugin     %s (version %s)\nlink file  %s\n", r.Plugin, r.Version, r.Link)
	if r.Kept != "" {
		fmt.Fprintf(w, "A plugin file that was changed by hand is kept as %s.\n", r.Kept)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	if r.Changed {
		fmt.Fprintln(w, "Restart OpenCode to load it.")
	} else {
		fmt.Fprintln(w, "Nothing has changed.")
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
	} else {
		fmt.Fprintln(w, "It is not installed.")
	}
	if r.Kept != "" {
		fmt.Fprintf(w, "A plugin file that was changed by hand is kept as %s.\n", r.Kept)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
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
	if s.URL != "" {
		fmt.Fprintf(w, "hermes at  %s\n", s.URL)
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
	case s.URL == "":
		return errors.New("the link file is missing or no good; run hermes plugin install")
	}
	fmt.Fprintf(w, "installed, version %s\n", s.Version)
	return nil
}
