package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of hermes and of the Go that built it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), ownVersion())
			return err
		},
	}
}

// ownVersion is the version of the binary that runs.
func ownVersion() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}

// version words what the Go toolchain wrote into the binary: the module's
// version, and the commit where there is one. nil means that it wrote nothing.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "hermes (unknown version)"
	}
	text := "hermes " + info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " (modified)"
		}
	}
	return text + " " + info.GoVersion
}
