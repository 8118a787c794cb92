package setup

import (
	"context"
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
	"hermes/internal/doctor"
	"hermes/internal/letters"
	"hermes/opencode"
	openservice "hermes/opencode/service"
)

// stepOpenCode looks for OpenCode: the program, the servers that were named, and
// the configuration folder. Nothing found is said and stops nothing: OpenCode may
// be installed later, or run on another machine.
func (s *Wizard) stepOpenCode(ctx context.Context) error {
	transport := &http.Transport{IdleConnTimeout: time.Minute} // no proxy: they are near
	finder := openCodeFinder{s.term, s.flags}
	program := finder.findProgram(ctx)
	s.openCode2 = finder.findService(ctx, clients.Service(s.config, transport, nil))
	for _, url := range s.flags.servers {
		if !slices.Contains(s.config.OpenCodeURLs, url) {
			s.config.OpenCodeURLs = append(slices.Clip(s.config.OpenCodeURLs), url)
		}
	}
	for _, server := range clients.DirectServers(s.config, transport) {
		text, good := doctor.ServerInWords(ctx, server)
		finder.tell(good, "server "+text)
	}
	dir, err := finder.findFolder(ctx, program, s.openCode2)
	if err != nil {
		return err
	}
	s.flags.openCodeDir = dir
	if dir != "" {
		s.term.Good("configuration folder %s%s", shortPath(dir), linkNote(dir))
	}
	return nil
}

// lookWithin is how long OpenCode may take to say its version.
const lookWithin = 5 * time.Second

// openCodeFinder looks for the OpenCode of this machine, and says what it finds.
type openCodeFinder struct {
	term  *console.Terminal
	flags Flags
}

// findProgram says which opencode a shell would run, and its version.
func (f openCodeFinder) findProgram(ctx context.Context) bool {
	path, err := exec.LookPath("opencode")
	if err != nil {
		f.term.Bad("there is no opencode on PATH")
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || version == "" {
		f.term.Bad("%s does not say its version; it may not work", shortPath(path))
		return true
	}
	f.term.Good("%s, version %s", shortPath(path), letters.Escaped(version))
	return true
}

// findService says whether the background service of OpenCode 2 runs, and reports it.
func (f openCodeFinder) findService(ctx context.Context, of opencode.Service) bool {
	_, err := of.File.Find()
	if fault := openservice.FaultOf(err); of.File.Path == "" || fault == openservice.Absent || fault == openservice.Stopped {
		return false // hermes serve finds it when it runs
	}
	text, good := doctor.ServiceInWords(ctx, of)
	f.tell(good, "OpenCode service: "+text)
	return err == nil
}

// tell says what was found of an OpenCode.
func (f openCodeFinder) tell(good bool, text string) {
	if good {
		f.term.Good("%s", text)
	} else {
		f.term.Bad("%s", text)
	}
}

// findFolder returns OpenCode's configuration folder, "" for none. Of several
// that are there, the person says which.
func (f openCodeFinder) findFolder(ctx context.Context, program, openCode2 bool) (string, error) {
	if f.flags.openCodeDir != "" {
		return filepath.Abs(f.flags.openCodeDir)
	}
	candidates := openCodeFolders()
	there := slices.DeleteFunc(slices.Clone(candidates), func(dir string) bool { return !isFolder(dir) })
	switch {
	case len(there) > 1 && f.term.In == nil && !f.flags.dryRun:
		return "", config.Mistakes{"several configuration folders of OpenCode are there: " + strings.Join(there, ", ") + "; say which with --config-dir"}
	case len(there) > 1:
		return f.chooseFolder(ctx, there)
	case len(there) == 1:
		return there[0], nil
	case program && len(candidates) > 0:
		return candidates[0], nil // OpenCode makes it at its first start
	case openCode2:
		return "", nil
	}
	f.term.Say("No OpenCode was found on this machine. That stops nothing here: install it (https://opencode.ai) and run hermes setup or hermes plugin install afterwards. " +
		"For an OpenCode elsewhere, see hermes plugin install --help, or name its server with --url.")
	return "", nil
}

// chooseFolder asks which of several folders it shall be.
func (f openCodeFinder) chooseFolder(ctx context.Context, there []string) (string, error) {
	f.term.Say("Several configuration folders of OpenCode are there:")
	var shown []string
	for _, dir := range there {
		shown = append(shown, shortPath(dir)+linkNote(dir))
	}
	if f.flags.dryRun {
		f.term.Say("%s", strings.Join(shown, ", "))
		f.term.Say("Would ask which gets the plugin; --config-dir says it.")
		return there[0], nil
	}
	i, err := f.term.Choose(ctx, "Which one should get the plugin?", shown)
	return there[i], err
}

// openCodeFolders are the places of the configuration folder, in the order in
// which OpenCode looks, each once.
func openCodeFolders() []string {
	config, home := os.Getenv("XDG_CONFIG_HOME"), ""
	if config != "" {
		config = filepath.Join(config, "opencode")
	}
	if h, err := os.UserHomeDir(); err == nil {
		home = filepath.Join(h, ".config", "opencode")
	}
	var dirs []string
	for _, dir := range []string{os.Getenv("OPENCODE_CONFIG_DIR"), config, home} {
		if abs, err := filepath.Abs(dir); dir != "" && err == nil && !slices.Contains(dirs, abs) {
			dirs = append(dirs, abs)
		}
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
			return ", a symbolic link to " + shortPath(to) + ": keep hermes.json, which holds a token, out of version control there"
		}
		return ", a symbolic link that leads nowhere"
	}
	return ""
}
