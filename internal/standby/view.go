package standby

import (
	"context"
	"sync"
	"time"

	"hermes/internal/letters"
)

// view is what a standby knows of who acts. Its methods may be called concurrently.
type view struct {
	self Holder

	mu     sync.Mutex
	looked bool
	acting Acting
	at     time.Time // of acting
	err    error     // the database's; nil: it answers
}

// forget is for when this hermes acts itself.
func (v *view) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.looked, v.acting, v.err = false, Acting{}, nil
}

// set notes what the database told, and reports whether who acts, or whether it answers at all, is another thing than before.
func (v *view) set(a Acting, err error, at time.Time) (changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	changed = !v.looked || (err == nil) != (v.err == nil) || err == nil && (a.Epoch != v.acting.Epoch || a.Held != v.acting.Held)
	v.looked, v.err = true, err
	if err == nil {
		v.acting, v.at = a, at
	}
	return changed
}

// reason says why this hermes does not act, for everybody. The log has the database's own words.
func (v *view) reason() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.err != nil:
		return "the database of HERMES_STORE does not answer; hermes tries on, and its log says why"
	case !v.looked:
		return "standby: hermes has begun, and asks the database who acts"
	case !v.acting.Held:
		return "standby: nobody acts now, and one of the standbys takes over"
	}
	text := "standby: " + letters.Escaped(v.acting.Name) + " at " + letters.Escaped(v.acting.Address) + " acts"
	if v.acting.Holder == v.self {
		text += ", or this one did a moment ago"
	}
	return text
}

// address is where the hermes that acts is reached; empty: not known, or it may be this one.
func (v *view) address() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err != nil || !v.acting.Held || v.acting.Holder == v.self {
		return ""
	}
	return v.acting.Address
}

// standing is for the metrics.
func (v *view) standing(now time.Time) Standing {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := Standing{Epoch: v.acting.Epoch, Delay: v.acting.Delay}
	if !v.at.IsZero() {
		s.Age = v.acting.Age + now.Sub(v.at)
	}
	return s
}

// look looks who acts until ctx ends.
func (p *Process) look(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		limited, cancel := context.WithTimeout(ctx, lookWithin)
		acting, err := p.database.Look(limited)
		cancel()
		if ctx.Err() != nil {
			return
		}
		p.note(acting, err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// note takes in what the database told, and logs what is new.
func (p *Process) note(a Acting, err error) {
	if !p.seen.set(a, err, time.Now()) {
		return
	}
	switch {
	case err != nil:
		p.Log.Error("the database of HERMES_STORE does not answer; hermes stands by and tries on", "err", err)
	case a.Held && a.Holder == p.seen.self:
		p.Log.Info("the lease that this hermes had is not over yet; then one of all acts", "epoch", a.Epoch)
	case a.Held:
		p.Log.Info("another hermes acts, and this one stands by", "name", a.Name, "address", a.Address, "epoch", a.Epoch)
	default:
		p.Log.Info("no hermes acts; one of the standbys takes over")
	}
}
