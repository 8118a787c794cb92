package opencode2sim

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// registration is the process's entry in service.json (section 1, captures 08, 18).
type registration struct {
	path string
	id   string // of this start
}

// Registration is what service.json says.
type Registration struct {
	ID       string `json:"id"`
	Version  string `json:"version"`
	URL      string `json:"url"`
	PID      int    `json:"pid"`
	Password string `json:"password"`
}

// checkEvery is how often the service looks whether the file is still its own.
const checkEvery = 5 * time.Second

// write registers the process and watches the file.
func (r *registration) write(s *Simulator) {
	if r.path == "" {
		return
	}
	r.id = uuid()
	raw, err := json.Marshal(Registration{r.id, s.opts.Version, s.opts.URL, s.pid, s.opts.Password})
	if err == nil {
		err = writePrivate(r.path, raw)
	}
	if err != nil {
		panic("simulator: the registration cannot be written: " + err.Error())
	}
	go r.watch(s, s.life, r.id)
}

func writePrivate(path string, raw []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// watch ends the service when the file is missing or not its own.
func (r *registration) watch(s *Simulator, life <-chan struct{}, id string) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-life:
			return
		case <-tick.C:
		}
		if s.disown(id) {
			return
		}
	}
}

// disown stops the process if the file is not the one that it wrote as id.
func (s *Simulator) disown(id string) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life == nil || s.service.id != id {
		return true
	}
	if s.service.own() {
		return false
	}
	s.disowned = true
	s.stop()
	return true
}

func (r *registration) own() bool {
	raw, err := os.ReadFile(r.path)
	var is Registration
	return err == nil && json.Unmarshal(raw, &is) == nil && is.ID == r.id
}

func (r *registration) remove() {
	if r.path != "" && r.own() {
		os.Remove(r.path)
	}
}

// Disowned reports whether the service has ended itself because its registration
// was missing or another's: who only reads that file never makes it so.
func (s *Simulator) Disowned() bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.disowned
}

// PID is the number of the process that runs or ran last.
func (s *Simulator) PID() int {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.pid
}

func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
