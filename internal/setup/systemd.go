package setup

import (
	"os"
	"path/filepath"
	"strings"

	"hermes/deploy"
)

// systemdService is deploy/hermes.service with the paths of this machine.
func systemdService(binary, env, db string) *service {
	const user = "systemctl --user "
	return &service{
		kind: "systemd", path: deploy.SystemdUnitPath(),
		content: systemdUnit(binary, env, db),
		there:   strings.Fields(user + "show-environment"),
		runs:    strings.Fields(user + "is-active --quiet hermes"),
		start:   [][]string{strings.Fields(user + "daemon-reload"), strings.Fields(user + "enable --now hermes")},
		restart: [][]string{strings.Fields(user + "daemon-reload"), strings.Fields(user + "enable hermes"), strings.Fields(user + "restart hermes")},
		look:    "journalctl --user -u hermes", stop: user + "stop hermes",
		loggedIn: "loginctl enable-linger keeps it running while you are logged out",
	}
}

func systemdUnit(binary, env, db string) string {
	_, unit, _ := strings.Cut(deploy.SystemdUnit(), "[Unit]")
	exec := "ExecStart=" + systemdWord(binary, true) + " serve" + configArgument(env, func(s string) string { return " " + systemdWord(s, true) })
	return "# Hermes as a service of one user, written by hermes setup.\n\n[Unit]" + strings.NewReplacer(
		"ExecStart=%h/.local/bin/hermes serve", exec,
		"ReadWritePaths=-%h/.local/state/hermes", "ReadWritePaths="+systemdWord(filepath.Dir(db), false),
	).Replace(unit)
}

// configArgument names hermes.env where a service would not look by itself: it
// does not see this terminal's XDG_CONFIG_HOME.
func configArgument(env string, word func(string) string) string {
	home, err := os.UserHomeDir()
	if err == nil && env == filepath.Join(home, ".config", "hermes", "hermes.env") {
		return ""
	}
	return word("--config") + word(env)
}

// systemdWord writes a path so that systemd takes it for one word and expands
// nothing in it (systemd.syntax, systemd.unit); in a command line it would expand
// $ too.
func systemdWord(path string, command bool) string {
	path = strings.ReplaceAll(path, "%", "%%")
	if command {
		path = strings.ReplaceAll(path, "$", "$$")
	}
	if !strings.ContainsAny(path, " \t\"'\\;") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
