package question

import "hermes/internal/chat"

// Owner is the person whose agent asks: the one to whom the link belongs that it came over. What it asks is
// for them alone unless a rule says otherwise.
type Owner struct {
	ID   chat.UserID // 0: nobody's in particular
	Name string      // as the rules have it; empty: they have none
	Link string      // the link's name
}
