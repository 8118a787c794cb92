// Package pace bounds how often something is done because of one person, or one machine.
package pace

import "time"

// People is how often something may be done because of each person.
type People = Each[int64]

// Each is how often something may be done because of each of many: Burst times at once,
// and once more after every Every. It remembers a bounded number of them; all beyond
// have one share together. What it remembers does not survive a restart. It is not safe
// for concurrent use.
type Each[K comparable] struct {
	Burst int
	Every time.Duration

	shares map[K]*share
	others share // of those that are not remembered
}

// maxShares is how many are remembered. Who has not been paced lately is forgotten
// first, and costs nothing.
const maxShares = 256

// Verdict is what may be done.
type Verdict int

const (
	Yes  Verdict = iota
	Last         // no, and that may be told: it is the first time since they rested
	No
)

// share is what one has used. What is used is regained, one after another.
type share struct {
	used    int
	at      time.Time // since when the last one is being regained
	refused bool      // something, since it was at rest
}

// Take asks for one more because of who.
func (p *Each[K]) Take(who K, now time.Time) Verdict { return p.TakeN(who, 1, now) }

// TakeN asks for n more at once, all or none. More than Burst are never given.
func (p *Each[K]) TakeN(who K, n int, now time.Time) Verdict {
	s := p.shareOf(who, now)
	s.regainUntil(p.Every, now)
	switch {
	case s.used+n <= p.Burst:
		s.used += n
		return Yes
	case !s.refused:
		s.refused = true
		return Last
	}
	return No
}

// shareOf finds the share of one, made if needed.
func (p *Each[K]) shareOf(who K, now time.Time) *share {
	if s := p.shares[who]; s != nil {
		return s
	}
	if len(p.shares) >= maxShares {
		for id, s := range p.shares {
			if s.regainUntil(p.Every, now); s.used == 0 {
				delete(p.shares, id)
			}
		}
	}
	if len(p.shares) >= maxShares {
		return &p.others
	}
	if p.shares == nil {
		p.shares = map[K]*share{}
	}
	s := new(share)
	p.shares[who] = s
	return s
}

// regainUntil gives back what the time since has regained. A clock that was set back gives
// nothing back until it has caught up.
func (s *share) regainUntil(every time.Duration, now time.Time) {
	if s.used == 0 {
		s.at = now
	}
	if n := now.Sub(s.at) / every; n > 0 {
		s.used = max(0, s.used-int(min(n, time.Duration(s.used))))
		s.at = s.at.Add(n * every)
	}
	if s.used == 0 {
		s.at, s.refused = now, false
	}
}
