package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/secret"
)

// errDeclined ends a setup whose change a person did not want.
var errDeclined = errors.New("nothing was changed there; run hermes setup again when you want to go on")

// agree asks for a yes, without which setup ends.
func agree(ctx context.Context, term *console.Terminal, question string) error {
	ok, err := term.Confirm(ctx, question, true)
	if err == nil && !ok {
		return errDeclined
	}
	return err
}

// envFile is hermes.env, which is changed only after a yes.
type envFile struct {
	path    string
	term    *console.Terminal
	dryRun  bool
	written bool // by this run
}

// envEdit is what one variable in hermes.env shall be; with an empty value its line goes.
type envEdit struct{ Name, Value string }

// envChange is a line that differs: Before is "" for a new one, After for one
// that goes. The token is masked.
type envChange struct{ Name, Before, After string }

// newEnv begins a file that is not there yet.
const newEnv = "# Configuration of hermes, written by hermes setup. It holds the bot's token: keep\n" +
	"# it to yourself (chmod 600). hermes config example explains every variable.\n\n"

// save makes the edits in hermes.env and says so. What is there already is only
// replaced after a yes.
func (f *envFile) save(ctx context.Context, edits ...envEdit) error {
	before, _, err := readEnv(f.path)
	if err != nil {
		return err
	}
	_, changes := editEnv(before, edits)
	replaced := false
	for _, c := range changes {
		if c.Before == "" {
			continue
		}
		replaced = true
		f.term.Say("%s would change:", shortPath(f.path))
		f.term.Say("  - %s=%s", c.Name, letters.Escaped(c.Before))
		if c.After != "" {
			f.term.Say("  + %s=%s", c.Name, letters.Escaped(c.After))
		}
	}
	if replaced && !f.dryRun {
		if err := agree(ctx, f.term, "Change it?"); err != nil {
			return err
		}
	}
	return f.write(edits...)
}

// write makes the edits, and lets nobody else read the file. Nothing is written when nothing differs.
func (f *envFile) write(edits ...envEdit) error {
	before, mode, err := readEnv(f.path)
	if err != nil {
		return err
	}
	after, changes := editEnv(before, edits)
	if len(changes) == 0 {
		after = before
	}
	exposed := secret.IsExposed(mode)
	if !f.dryRun && (len(changes) > 0 || exposed) {
		if err := replaceFile(f.path, after, 0o600, 0o700); err != nil {
			return err
		}
		f.written = true
	}
	for _, c := range changes {
		if c.After == "" {
			f.term.Good("%s: %sremoved %s", shortPath(f.path), dryRunPrefix(f.dryRun), c.Name)
		} else {
			f.term.Good("%s: %s%s=%s", shortPath(f.path), dryRunPrefix(f.dryRun), c.Name, letters.Escaped(c.After))
		}
	}
	if exposed {
		f.term.Good("%s: %sonly you can read it now (it was mode %04o)", shortPath(f.path), dryRunPrefix(f.dryRun), mode)
	}
	return nil
}

// dryRunPrefix marks what a dry run did not do.
func dryRunPrefix(dryRun bool) string {
	if dryRun {
		return "would be written: "
	}
	return ""
}

// SetVariable writes a variable into a configuration file, or takes it out if the value is empty. All other lines stay as they are.
func SetVariable(path, name, value string) error {
	before, _, err := readEnv(path)
	if err != nil {
		return err
	}
	after, changes := editEnv(before, []envEdit{{name, value}})
	if len(changes) == 0 {
		return nil
	}
	return replaceFile(path, after, 0o600, 0o700)
}

// editEnv returns the text with the edits made, and what differs. All other lines
// stay as they are, byte for byte. A new variable goes after the line that has it
// as an example (#NAME=), else to the end.
func editEnv(text string, edits []envEdit) (string, []envChange) {
	values, _ := config.ParseEnv(text)
	if text == "" {
		text = newEnv
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var changes []envChange
	for _, e := range edits {
		before, there := values[e.Name]
		if e.Value == "" && !there || e.Value != "" && before == e.Value {
			continue
		}
		lines = e.apply(lines)
		c := envChange{e.Name, before, e.Value}
		if e.Name == "HERMES_TELEGRAM_TOKEN" {
			c.Before, c.After = secret.Text(before).String(), secret.Text(e.Value).String()
		}
		changes = append(changes, c)
	}
	return strings.Join(lines, "\n") + "\n", changes
}

func (e envEdit) apply(lines []string) []string {
	line := e.Name + "=" + e.Value
	at := slices.IndexFunc(lines, func(l string) bool { return setsVariable(l, e.Name) })
	example := slices.IndexFunc(lines, func(l string) bool { return setsVariable(strings.TrimPrefix(l, "#"), e.Name) })
	switch {
	case e.Value == "":
		return slices.Delete(lines, at, at+1)
	case at >= 0:
		if strings.HasSuffix(lines[at], "\r") {
			line += "\r"
		}
		lines[at] = line
		return lines
	case example >= 0:
		return slices.Insert(lines, example+1, line)
	}
	return append(lines, line)
}

// setsVariable reports whether ParseEnv would read the variable from the line.
func setsVariable(line, name string) bool {
	key, _, found := strings.Cut(strings.TrimPrefix(line, "\ufeff"), "=")
	return found && strings.TrimSpace(key) == name
}

// values are the variables of the file as it is; one that cannot be read has none, which write says.
func (f *envFile) values() map[string]string {
	text, _, err := readEnv(f.path)
	if err != nil {
		return nil
	}
	values, _ := config.ParseEnv(text)
	return values
}

// readEnv returns the file's text and mode; both are zero where there is none. A
// symbolic link is refused: it leads to a file that is kept elsewhere, perhaps
// for others to read, and the token must not get there.
func readEnv(path string) (string, fs.FileMode, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", 0, nil
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return "", 0, fmt.Errorf("%s is a symbolic link, and setup does not put a secret where it leads; remove the link, or name another file with --config", path)
	case err == nil && !info.Mode().IsRegular():
		return "", 0, fmt.Errorf("%s is not a plain file; move it away, or name another file with --config", path)
	}
	text, mode, err := config.ReadSmall(path)
	if err != nil {
		return "", 0, fmt.Errorf("%s cannot be read: %w", path, config.WithoutPath(err))
	}
	return text, mode, nil
}

// replaceFile makes path a file with this content, whole or not at all, and
// makes its directory where there is none.
func replaceFile(path, content string, mode, dirMode fs.FileMode) error {
	err := os.MkdirAll(filepath.Dir(path), dirMode)
	if err == nil {
		err = writeWhole(path, content, mode)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, config.WithoutPath(err))
	}
	return nil
}

func writeWhole(path, content string, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".hermes-setup-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path) // a crash before this line leaves a stray file, after it the new content
}
