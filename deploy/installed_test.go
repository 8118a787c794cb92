package deploy

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestInstalled(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	for _, test := range []struct {
		file             string // that is there
		start, stop, log string
		ok               bool
	}{
		{"", "hermes serve", "press ctrl-C", "what hermes serve writes", false},
		{filepath.Join(home, ".config/systemd/user/hermes.service"), "systemctl --user start", "systemctl --user stop", "journalctl --user", true},
		{filepath.Join(home, "Library/LaunchAgents/hermes.plist"), "launchctl bootstrap gui/", "launchctl bootout gui/", "tail " + home, true},
		{"/etc/systemd/system/multi-user.target.wants/hermes.service", "sudo systemctl start", "sudo systemctl stop", "sudo journalctl", true},
		{"/etc/systemd/system/hermes.service", "sudo systemctl start", "sudo systemctl stop", "sudo journalctl", true},
	} {
		got, ok := installed(func(path string) bool { return path == test.file })
		if ok != test.ok || !strings.HasPrefix(got.Start, test.start) || !strings.HasPrefix(got.Stop, test.stop) || !strings.HasPrefix(got.Log, test.log) {
			t.Errorf("with %q: got %+v, %v", test.file, got, ok)
		}
	}
}
