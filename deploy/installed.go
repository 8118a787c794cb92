package deploy

import (
	"fmt"
	"os"
	"path/filepath"

	"hermes/internal/config"
)

// Service is how a person starts, stops and reads the log of an installed hermes: shell commands.
type Service struct{ Start, Stop, Log string }

// Installed returns the service of this user or, without one, of this machine. Without either,
// a person runs hermes serve, and reports of it go where that writes. It looks only for the
// service's file, not whether the service runs.
func Installed() (s Service, ok bool) {
	return installed(isThere)
}

func installed(there func(path string) bool) (Service, bool) {
	domain := fmt.Sprintf("gui/%d", os.Getuid())
	switch {
	case there(SystemdUnitPath()):
		return Service{"systemctl --user start hermes", "systemctl --user stop hermes", "journalctl --user -u hermes"}, true
	case there(LaunchdPlistPath()):
		return Service{"launchctl bootstrap " + domain + " " + LaunchdPlistPath(), "launchctl bootout " + domain + "/hermes", "tail " + LaunchdLogPath()}, true
	case there(machineUnit), there(enabledUnit):
		return Service{"sudo systemctl start hermes", "sudo systemctl stop hermes", "sudo journalctl -u hermes"}, true
	}
	return Service{Start: "hermes serve", Stop: "press ctrl-C where hermes serve runs", Log: "what hermes serve writes"}, false
}

const (
	// machineUnit is where hermes-system.service goes by hand.
	machineUnit = "/etc/systemd/system/hermes.service"
	// enabledUnit is there when the unit of a package is enabled. That unit itself is there for everybody who has the package.
	enabledUnit = "/etc/systemd/system/multi-user.target.wants/hermes.service"
)

// SystemdUnitPath is where systemd looks for the unit of this user (systemd.unit(5)).
func SystemdUnitPath() string {
	return filepath.Join(config.XdgDir("XDG_CONFIG_HOME", ".config"), "systemd", "user", "hermes.service")
}

// LaunchdPlistPath is where launchd looks for the agent of this user (launchd.plist(5)).
func LaunchdPlistPath() string { return inLibrary("LaunchAgents", "hermes.plist") }

// LaunchdLogPath is where the launch agent writes its log.
func LaunchdLogPath() string { return inLibrary("Logs", "hermes.log") }

func inLibrary(folder, name string) string {
	home, _ := os.UserHomeDir()
	return filepath.Join(home, "Library", folder, name)
}

func isThere(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
