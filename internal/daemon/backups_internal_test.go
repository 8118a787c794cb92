package daemon

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/storage"
	"hermes/pending"
)

// hangingFolder is one of a disk that takes a write, and hangs in the next one.
type hangingFolder struct {
	hangs    atomic.Pointer[chan struct{}] // closed: it answers again
	attempts atomic.Int32
}

// hang has writes wait until what it returns is called.
func (f *hangingFolder) hang() (answer func()) {
	c := make(chan struct{})
	f.hangs.Store(&c)
	return func() { close(c) }
}

func (f *hangingFolder) Newest(time.Time) (time.Time, error) { return time.Time{}, nil }

func (f *hangingFolder) Make(_ time.Time, fill func(io.Writer) error) (pending.Copied, error) {
	f.attempts.Add(1)
	return pending.Copied{}, fill(f)
}

func (f *hangingFolder) Write(p []byte) (int, error) {
	<-*f.hangs.Load()
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
		folder := new(hangingFolder)
		answer := folder.hang()
		b := newBackups(config.Config{}, store, slog.New(slog.NewTextHandler(&log, nil)))
		b.folder = folder
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() { defer close(stopped); b.run(ctx) }()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if n := strings.Count(log.String(), "the folder of the backups does not answer"); n != 1 || folder.attempts.Load() != 1 || strings.Count(log.String(), "\n") != 1 {
			t.Errorf("%d attempts, and the log has\n%s", folder.attempts.Load(), log.String())
		}

		answer()
		synctest.Wait()
		if !strings.Contains(log.String(), "could not be backed up (HERMES_BACKUP_DIR); hermes tries again every hour\" err=\"it took longer than 10m0s\"") {
			t.Errorf("the log has\n%s", log.String())
		}
		if folder.attempts.Load() != 2 || b.newest.Load() == 0 { // the second is late
			t.Errorf("when it answers again: %d attempts, and the newest copy is of %v", folder.attempts.Load(), b.newest.Load())
		}

		defer folder.hang()()
		time.Sleep(lookForBackup)
		synctest.Wait()
		began := time.Now()
		stop()
		<-stopped
		if took := time.Since(began); folder.attempts.Load() != 3 || took > letGo {
			t.Errorf("%d attempts; the stop took %v", folder.attempts.Load(), took)
		}
		if err := store.Commit(storage.Change{Entries: []storage.Entry{{At: time.Now(), Kind: storage.EntryReloaded}}}); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil { // which waits for everybody who reads
			t.Error(err)
		}
	})
}
