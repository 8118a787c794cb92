package rig

import (
	"strings"
	"time"
)

// JumpUpdateID makes id the next update's, as Telegram does after a week without any.
func (r *Rig) JumpUpdateID(id int) {
	r.T.Helper()
	if err := r.Telegram.JumpUpdateID(id); err != nil {
		r.T.Fatal(err)
	}
}

// RedeliverLast has Telegram hand out the last update once more, and fails the test if anything comes of it.
func (r *Rig) RedeliverLast() {
	r.T.Helper()
	before := r.Telegram.History(Ada)
	if err := r.Telegram.Redeliver(r.Telegram.LastUpdateID()); err != nil {
		r.T.Fatal(err)
	}
	r.Wait(time.Minute)
	if after := r.Telegram.History(Ada); after != before {
		r.T.Errorf("the same update had an effect twice:\n%s", strings.TrimPrefix(after, before))
	}
}

// PauseCount keeps the killer from counting until StartCount.
func (k *Killer) PauseCount() {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.Count = -1 << 40
}

// StartCount counts operations from here.
func (k *Killer) StartCount() {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.Count = 0
}
