package opencodesim

import (
	"crypto/sha1"
	"encoding/hex"
	"path"
	"sort"
	"time"
)

// instance is what a process holds in memory for one directory.
type instance struct {
	dir     string
	pending []*pending // oldest first
	busy    map[string]bool
	rules   []rule // granted by always
	broken  bool   // made too soon after a dispose
}

// pending is one open question or permission request.
type pending struct {
	id         string
	sessionID  string
	inst       *instance
	question   *questionRequest
	permission *permissionRequest
	turn       *turn
	call       *call
	then       toolUse // of a permission: what is left to ask and to do
}

// instance returns the instance of dir and makes it if there is none: in
// OpenCode any request with a new directory bootstraps one.
func (s *Simulator) instance(dir string) *instance {
	key := s.is.directoryKey(dir)
	inst := s.instances[key]
	if inst == nil {
		inst = &instance{dir: key, busy: map[string]bool{}}
		inst.broken = time.Since(s.disposed[key]) < s.opts.DisposeGap
		s.instances[key] = inst
	}
	return inst
}

// Instances lists the directories for which the process holds an instance. A
// bridge that sweeps directories makes instances it should not make; this is
// how a test sees it.
func (s *Simulator) Instances() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	dirs := make([]string, 0, len(s.instances))
	for dir := range s.instances {
		dirs = append(dirs, dir)
	}
	sort.Strings(dirs)
	return dirs
}

func (i *instance) find(id string) *pending {
	for _, p := range i.pending {
		if p.id == id {
			return p
		}
	}
	return nil
}

func (i *instance) remove(p *pending) {
	for n, other := range i.pending {
		if other == p {
			i.pending = append(i.pending[:n:n], i.pending[n+1:]...)
			return
		}
	}
}

// anywhere finds a pending request in whichever instance holds it.
func (s *Simulator) anywhere(id string) *pending {
	for _, inst := range s.instances {
		if p := inst.find(id); p != nil {
			return p
		}
	}
	return nil
}

// dispose forgets an instance. 1.1.53 says no more than
// server.instance.disposed and leaves tool parts running; newer versions abort
// the busy sessions first.
func (s *Simulator) dispose(inst *instance) {
	working := s.working(inst)
	for _, ses := range working {
		ses.queue, ses.parent = nil, nil // nothing goes on
	}
	for _, ses := range working {
		if s.is.modern {
			s.abort(ses)
		}
		ses.turn = nil
	}
	s.bus.publish(inst.dir, "server.instance.disposed", map[string]any{"directory": inst.dir})
	delete(s.instances, inst.dir)
	s.disposed[inst.dir] = time.Now()
}

// working lists the sessions with a turn in inst.
func (s *Simulator) working(inst *instance) []*session {
	var list []*session
	for _, ses := range s.ordered() {
		if ses.turn != nil && ses.turn.inst == inst {
			list = append(list, ses)
		}
	}
	return list
}

// projectID stands for the id that OpenCode derives from a repository. Here
// every directory is a project of its own, whatever slash its name ends with.
func projectID(dir string) string {
	sum := sha1.Sum([]byte(path.Clean(dir)))
	return hex.EncodeToString(sum[:])
}
