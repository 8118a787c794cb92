package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/backup"
	"hermes/internal/config"
)

func TestBackup(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	if got := (&Doctor{}).checkBackup(t.Context()); got.Status != "" {
		t.Error("there is a check without HERMES_BACKUP_DIR")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hermes-42-20261121T110000Z.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir   string
		now   time.Time
		grade grade
		text  string
	}{
		{dir, now, gradeOK, "is 25 hours old"},
		{dir, now.Add(3 * time.Hour), gradeFail, "is 28 hours old"},
		{t.TempDir(), now, gradeFail, "there is no copy"},
		{filepath.Join(dir, "none"), now, gradeFail, "there is no copy"},
		{filepath.Join(dir, "hermes-42-20261121T110000Z.db"), now, gradeFail, "cannot be read"},
	} {
		got := checkBackups(backup.Folder{Path: c.dir, Of: "42"}, c.now)
		if got.Status != c.grade || !strings.Contains(got.Detail, c.text) || (got.Remedy == "") != (c.grade == gradeOK) {
			t.Errorf("%s: %+v", c.text, got)
		}
	}
}

// A standby makes no copies, and its folder may be empty.
func TestBackup_Standby(t *testing.T) {
	c := config.Config{Store: "postgres://db.test/hermes", BackupDir: t.TempDir()}
	for standby, want := range map[string]grade{"standby: one at https://one.test acts": gradeSkip, "": gradeFail} {
		d := &Doctor{config: c, status: func() statusReply { return statusReply{standby: standby} }}
		if got := d.checkBackup(t.Context()); got.Status != want {
			t.Errorf("%q: %+v", standby, got)
		}
	}
}
