package rig

import (
	"strings"
	"time"
)

// Jump makes id the next update's, as Telegram does after a week without any.
func (r *Rig) Jump(id int) {
	r.T.Helper()
	if err := r.Telegram.JumpUpdateID(id); err != nil {
		r.T.Fatal(err)
	}
}

// SameAgain has Telegram hand out the last update once more, and fails the test if anything comes of it.
func (r *Rig) SameAgain() {
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

// Rest keeps the killer from counting until begin.
func (k *Killer) Rest() {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.Count = -1 << 40
}

func (k *Killer) Begin() {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.Count = 0
}
