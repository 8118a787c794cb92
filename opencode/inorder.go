package opencode

import (
	"slices"
	"sync"
)

// maxQueued bounds how many steps wait in an inOrder. Beyond it, whoever adds one waits.
const maxQueued = 256

// inOrder runs steps one after another, in the order in which they were added, on a goroutine that lives while there are any.
// Safe for concurrent use.
type inOrder struct {
	mu      sync.Mutex
	changed sync.Cond
	steps   []func()
	running bool
}

func newInOrder() *inOrder {
	o := &inOrder{}
	o.changed.L = &o.mu
	return o
}

// add has f run behind all that were added before. A step must not add one itself.
func (o *inOrder) add(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.steps) >= maxQueued {
		o.changed.Wait()
	}
	o.steps = append(o.steps, f)
	if !o.running {
		o.running = true
		go o.run()
	}
}

func (o *inOrder) run() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.steps) > 0 {
		step := o.steps[0]
		o.steps = slices.Delete(o.steps, 0, 1)
		o.changed.Broadcast()
		o.mu.Unlock()
		step()
		o.mu.Lock()
	}
	o.running = false
	o.changed.Broadcast()
}

// wait returns when all steps have run.
func (o *inOrder) wait() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.running {
		o.changed.Wait()
	}
}
