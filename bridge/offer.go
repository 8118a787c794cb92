package bridge

import (
	"hermes/internal/inbound"
)

// offerElsewhere offers what is not about an ask to Config.Else, and reports whether it took it.
func (k *intake) offerElsewhere(in inbound.Input) bool {
	return k.notAnAsk != nil && !k.replies.repeated && k.notAnAsk(in, k.access.mayDrive(in.User.ID))
}

// offerDoubtful offers a text for a thread that may be meant as a command to Config.Doubt, and
// reports whether that takes it.
func (k *intake) offerDoubtful(l *liveThread, in inbound.Input) bool {
	if k.doubtful == nil || k.replies.repeated {
		return false
	}
	words, may := l.mayBeOtherwise(in)
	return may && k.doubtful(in, k.access.mayDrive(in.User.ID), l.Clone(), words)
}
