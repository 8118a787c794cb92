package daemon

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/storage"
	"hermes/pending"
)

// hangingFolder is one of a disk that takes a write, and hangs in the next one.
type hangingFolder struct {
	answers  chan struct{} // closed: it answers again
	attempts int
}

func (f *hangingFolder) Newest(time.Time) (time.Time, error) { return time.Time{}, nil }

func (f *hangingFolder) Make(_ time.Time, fill func(io.Writer) error) (pending.Copied, error) {
	f.attempts++
	return pending.Copied{}, fill(f)
}

func (f *hangingFolder) Write(p []byte) (int, error) {
	<-f.answers
	return len(p), nil
}

// A disk that hangs holds up neither the database nor the stop, is in the log once, and gets no second copy to hang in.
func TestBackup_OntoADiskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := pending.Open(filepath.Join(t.TempDir(), "hermes.db"), pending.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		folder := &hangingFolder{answers: make(chan struct{})}
		b := newBackups(config.Config{}, store, slog.New(slog.NewTextHandler(&log, nil)))
		b.folder = folder
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() { defer close(stopped); b.run(ctx) }()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if n := strings.Count(log.String(), "the folder of the backups does not answer"); n != 1 || folder.attempts != 1 || strings.Count(log.String(), "\n") != 1 {
			t.Errorf("%d attempts, and the log has\n%s", folder.attempts, log.String())
		}

		close(folder.answers)
		synctest.Wait()
		if !strings.Contains(log.String(), "could not be backed up (HERMES_BACKUP_DIR); hermes tries again every hour\" err=\"it took longer than 10m0s\"") {
			t.Errorf("the log has\n%s", log.String())
		}
		if folder.attempts != 2 || b.last() == 0 { // the second is late
			t.Errorf("when it answers again: %d attempts, and the newest copy is of %v", folder.attempts, b.last())
		}

		folder.answers = make(chan struct{})
		defer close(folder.answers)
		time.Sleep(lookForBackup)
		synctest.Wait()
		began := time.Now()
		stop()
		<-stopped
		if took := time.Since(began); folder.attempts != 3 || took > letGo {
			t.Errorf("%d attempts; the stop took %v", folder.attempts, took)
		}
		if err := store.Commit(storage.Change{Entries: []storage.Entry{{At: time.Now(), Kind: storage.EntryReloaded}}}); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil { // which waits for everybody who reads
			t.Error(err)
		}
	})
}
