package bridge

import (
	"context"
	"fmt"
	"reflect"
)

// Unruled tells of each open ask whose record is otherwise than the rules have it now,
// and of each that asking the rules changes.
func (b *Bridge) Unruled(ctx context.Context) (wrong []string, err error) {
	err = b.loop.Do(ctx, func() {
		for _, l := range b.threads.byID {
			wrong = append(wrong, b.unruled(l)...)
		}
	})
	return wrong, err
}

func (b *Bridge) unruled(l *liveThread) (wrong []string) {
	if rule := b.access.ruleFor(l); l.Open() && (l.Rule != rule.Name || l.Needs != rule.Approvals || l.ClaimFor != rule.Claim) {
		wrong = append(wrong, fmt.Sprintf("%s has rule %q, %d, %s; the rules say %q, %d, %s",
			l.Request.ID, l.Rule, l.Needs, l.ClaimFor, rule.Name, rule.Approvals, rule.Claim))
	}
	was := l.Thread
	l.Rule, l.Needs, l.ClaimFor = "read", 7, 7
	before := l.Clone()
	for name, read := range map[string]func(){
		"rule":    func() { b.access.ruleFor(l) },
		"quiet":   func() { b.access.quietUntil(l) },
		"bar":     func() { b.access.whyBarred(l, 11) },
		"claimed": func() { b.access.claimedByOther(l, 0) },
	} {
		if read(); !reflect.DeepEqual(l.Thread, before) {
			wrong = append(wrong, fmt.Sprintf("%s of %s changes it", name, l.Request.ID))
		}
		l.Thread = before.Clone()
	}
	l.Thread = was
	return wrong
}

// TopicCount is how many topics are known.
func (b *Bridge) TopicCount(ctx context.Context) (n int, err error) {
	err = b.loop.Do(ctx, func() { n = b.forum.Len() })
	return n, err
}
