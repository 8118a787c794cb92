package setup

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/opencode"
	"hermes/opencode/call"
)

// stepOpenCode looks for OpenCode: the program, the servers that were named, and
// the configuration folder. Nothing found is said and stops nothing: OpenCode may
// be installed later, or run on another machine.
func (s *Wizard) stepOpenCode(ctx context.Context) error {
	program := s.findProgram(ctx)
	s.addServers()
	for _, server := range clients.OpenCode(s.config, directTransport()) {
		s.lookAtServer(ctx, server)
	}
	dir, err := s.findFolder(ctx, program)
	if err != nil {
		return err
	}
	s.Given.openCodeDir = dir
	if dir != "" {
		s.T.Good("configuration folder %s%s", tilde(dir), linkNote(dir))
	}
	return nil
}

func directTransport() *http.Transport {
	return &http.Transport{IdleConnTimeout: time.Minute} // no proxy: they are near
}

// lookWithin is how long OpenCode may take to say its version.
const lookWithin = 5 * time.Second

// findProgram says which opencode a shell would run, and its version.
func (s *Wizard) findProgram(ctx context.Context) bool {
	path, err := exec.LookPath("opencode")
	if err != nil {
		s.T.Bad("there is no opencode on PATH")
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || version == "" {
		s.T.Bad("%s does not say its version; it may not work", tilde(path))
		return true
	}
	s.T.Good("%s, version %s", tilde(path), console.Legible(version))
	return true
}

// addServers takes those of --url into the configuration.
func (s *Wizard) addServers() {
	for _, url := range s.Given.servers {
		s.config.OpenCodeURLs = with(s.config.OpenCodeURLs, url)
	}
}

func (s *Wizard) lookAtServer(ctx context.Context, server opencode.Server) {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	version, err := server.Client("", "").Version(ctx)
	var failed *call.Error
	switch {
	case err == nil:
		s.T.Good("server %s, version %s", console.Legible(server.URL), console.Legible(version))
	case errors.As(err, &failed) && failed.Reason == call.Unauthorized:
		s.T.Bad("server %s refuses the password; set HERMES_OPENCODE_PASSWORD to its OPENCODE_SERVER_PASSWORD", console.Legible(server.URL))
	case errors.As(err, &failed) && failed.Reason == call.NotOpenCode:
		s.T.Bad("at %s answers something that is not OpenCode; check the URL", console.Legible(server.URL))
	default:
		s.T.Bad("server %s does not answer; hermes serve goes on trying", console.Legible(server.URL))
	}
}

// findFolder returns OpenCode's configuration folder, "" for none. Of several
// that are there, the person says which.
func (s *Wizard) findFolder(ctx context.Context, program bool) (string, error) {
	if s.Given.openCodeDir != "" {
		return filepath.Abs(s.Given.openCodeDir)
	}
	candidates := openCodeFolders()
	there := slices.DeleteFunc(slices.Clone(candidates), func(dir string) bool { return !isFolder(dir) })
	switch {
	case len(there) > 1 && s.T.In == nil && !s.Given.dryRun:
		return "", config.Mistakes{"several configuration folders of OpenCode are there: " + strings.Join(there, ", ") + "; say which with --opencode-config-dir"}
	case len(there) > 1:
		return s.chooseFolder(ctx, there)
	case len(there) == 1:
		return there[0], nil
	case program && len(candidates) > 0:
		return candidates[0], nil // OpenCode makes it at its first start
	}
	s.T.Say("No OpenCode was found on this machine. That stops nothing here: install it (https://opencode.ai) and run hermes setup or hermes plugin install afterwards. " +
		"For an OpenCode elsewhere, see hermes plugin install --help, or name its server with --url.")
	return "", nil
}

func (s *Wizard) chooseFolder(ctx context.Context, there []string) (string, error) {
	s.T.Say("Several configuration folders of OpenCode are there:")
	var shown []string
	for _, dir := range there {
		shown = append(shown, tilde(dir)+linkNote(dir))
	}
	if s.Given.dryRun {
		s.T.Say("%s", strings.Join(shown, ", "))
		s.T.Say("Would ask which gets the plugin; --opencode-config-dir says it.")
		return there[0], nil
	}
	i, err := s.T.Choose(ctx, "Which one shall get the plugin?", shown)
	return there[i], err
}

// openCodeFolders are the places of the configuration folder, in the order in
// which OpenCode looks, each once.
func openCodeFolders() []string {
	var dirs []string
	add := func(dir string) {
		if abs, err := filepath.Abs(dir); err == nil {
			dirs = with(dirs, abs)
		}
	}
	if dir := os.Getenv("OPENCODE_CONFIG_DIR"); dir != "" {
		add(dir)
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		add(filepath.Join(dir, "opencode"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		add(filepath.Join(home, ".config", "opencode"))
	}
	return dirs
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// linkNote says where a folder that is a symbolic link leads: the plugin's link
// file holds a token, which does not belong into a repository of dotfiles.
func linkNote(dir string) string {
	for _, path := range []string{dir, filepath.Join(dir, "plugin")} {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if to, err := filepath.EvalSymlinks(path); err == nil {
			return ", a symbolic link to " + tilde(to) + ": keep hermes.json, which holds a token, out of version control there"
		}
		return ", a symbolic link that leads nowhere"
	}
	return ""
}
