package bridge

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/storage"
)

// codeIn returns the code that came with a /start: what a deep link carries (Bot
// API, "Deep linking").
func codeIn(in inbound.Input) string {
	words := strings.Fields(in.Text)
	if in.Command != "start" || len(words) != 2 {
		return ""
	}
	return words[1]
}

// isLink reports whether a text opens a link that it is for hermes to act on. In a group a
// code that hermes does not know may be for another bot.
func (ad *admissions) isLink(in inbound.Input) bool {
	_, found := ad.invitationOf(in)
	return found || in.Private && codeIn(in) != ""
}

// invitationOf finds the invitation whose link a text opens.
func (ad *admissions) invitationOf(in inbound.Input) (storage.Invitation, bool) {
	code := codeIn(in)
	if code == "" {
		return storage.Invitation{}, false
	}
	hash := storage.HashCode(code)
	at := slices.IndexFunc(ad.access.paired.Invitations, func(i storage.Invitation) bool { return i.Hash == hash })
	if at < 0 {
		return storage.Invitation{}, false
	}
	return ad.access.paired.Invitations[at], true
}

// openLink acts on a link that was opened.
func (ad *admissions) openLink(in inbound.Input) {
	i, found := ad.invitationOf(in)
	if !found {
		ad.refuseLink(in, storage.Invitation{}, "invitation-unknown")
		return
	}
	// By Telegram's clock, for hermes may have been down since.
	why := i.Refusal(!in.Private, in.Sent)
	comes := ad.additions(newAdmission(in, i), i.ID)
	switch {
	case why != "":
		ad.refuseLink(in, i, why)
	case comes.Empty(), len(peopleWhoAnswer(ad.access.rules)) == 0 && !ad.access.damaged:
		ad.letInFirst(in, i, comes)
	default:
		ad.askToLetIn(in, i)
	}
}

// refuseLink consumes the update of a link that lets nobody in. A stranger is told what
// all strangers are, once; who is in already gets the usual greeting.
func (ad *admissions) refuseLink(in inbound.Input, i storage.Invitation, why string) {
	e := storage.Entry{At: time.Now(), Kind: storage.EntryRefused, Thread: i.ID, By: authorOf(in), Detail: why}
	if !ad.access.knowsPerson(in.User.ID) {
		ad.strangers.passOver(in, true, ad.strangers.named.entryOf(e, e.At))
		return
	}
	ad.records.consume(in.Updates(), e)
	if in.Private {
		ad.replies.reply(in, ad.places.greetingFor(in.Chat))
	}
}

// letInFirst lets in the first person, and in a group the group, or notes that somebody who is
// in already has used up a link. A crash before the commit: the update is still in the
// inbox or at Telegram, and counts at the next start. A crash behind it: they are in, and
// only the greeting is lost.
func (ad *admissions) letInFirst(in inbound.Input, i storage.Invitation, comes storage.Pairings) {
	i.Used = time.Now()
	remembered := ad.chats.chat(in.Chat)
	remembered.Greeted = false
	if in.User.Lang != "" {
		remembered.Lang = in.User.Lang
	}
	comes.Invitations = []storage.Invitation{i}
	err := ad.commitPairings(storage.Change{
		Paired: comes, Chats: []chat.Chat{remembered}, Consumed: []chat.UpdateID{in.Update},
		Entries: []storage.Entry{{
			At: i.Used, Kind: storage.EntryPaired, Thread: i.ID, By: authorOf(in), Detail: kindOfInvitation(i.Group), Note: strings.Join(i.Roles, ", "),
		}},
	})
	if err != nil {
		ad.replies.tell(in, outbound.NoteNotSaved)
		return
	}
	ad.chats.put(remembered)
	ad.log.Info("paired", "kind", kindOfInvitation(i.Group), "chat", in.Chat)
	ad.replies.tell(in, ad.places.greetingFor(in.Chat))
}
