// Package deploy holds the files by which a machine runs hermes as a service of
// one user, so that the binary can write them itself. They can be used by hand
// as well; each says how.
package deploy

import _ "embed"

//go:embed hermes.service
var systemdUnit string

//go:embed hermes.plist
var launchdPlist string

// SystemdUnit is hermes.service, a unit for systemd --user. Its paths are those
// of an installation by hand: the binary in ~/.local/bin, the database in
// ~/.local/state/hermes.
func SystemdUnit() string { return systemdUnit }

// LaunchdPlist is hermes.plist, a launch agent for macOS, with @HERMES@ for the
// binary's whole path, @ARGS@ for further arguments and @LOG@ for the log file.
func LaunchdPlist() string { return launchdPlist }
