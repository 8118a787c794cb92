package inbound

// Recipient is the closed set of those whom an input can be for. Each input has exactly one.
type Recipient string

const (
	ForLink     Recipient = "link"     // invitations: it opens the link of one
	ForStranger Recipient = "stranger" // nobody who is on the list did it
	ForCard     Recipient = "card"     // an ask: a tap on its card, or words for it
	ForSession  Recipient = "session"  // sessions: a prompt, a command, a tap, or a late answer
	ForDoubt    Recipient = "doubt"    // an ask or a command: its writer is asked which
	ForMeaning  Recipient = "meaning"  // a text in doubt: the tap of its writer says which
	ForVoice    Recipient = "voice"    // an ask: a voice message, whose words are written down and shown to who spoke
	ForHeard    Recipient = "heard"    // such a voice message: the tap of who spoke says whether its words are the answer
	ForLater    Recipient = "later"    // it may be for a message that is on its way to its chat: it is decided when that is there

	// Nobody, and its writer is told why.
	ForEnded    Recipient = "ended"     // the ask that it replies to takes no answer any more
	ForNoDriver Recipient = "no-driver" // the same, and its writer may not prompt the session that asked
	ForNoBox    Recipient = "no-box"    // it replies to a reply box that belongs to no ask any more
	ForNoFile   Recipient = "no-file"   // a file, and no file is an answer
	ForUnclear  Recipient = "unclear"   // the chat shows asks, and it says not which of them it is for
	ForMachine  Recipient = "machine"   // somebody on the list wants to link a machine of theirs
	ForGreeting Recipient = "greeting"  // somebody on the list begins
	ForNotOwn   Recipient = "not-own"   // forwarded: it is not what its sender says
	ForUnsigned Recipient = "unsigned"  // nobody can tell whose it is
	ForNobody   Recipient = "nobody"    // nothing is asked

	ForChat    Recipient = "chat"    // what Telegram says of a chat, which whoever shows something there follows
	ForNothing Recipient = "nothing" // it is only consumed
)
