package storage

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
)

// InvitedFor is how long an invitation can be used.
const InvitedFor = 10 * time.Minute

// CodeHash is the SHA-256 of an invitation's code.
type CodeHash [sha256.Size]byte

// HashCode hashes a code.
func HashCode(code string) CodeHash { return sha256.Sum256([]byte(code)) }

// Invitation lets in whoever opens its link: one person, or one person together
// with a group. The link holds a code, of which only the hash is kept.
type Invitation struct {
	ID    question.ID `json:"id"` // names it in lists and in the journal; worth nothing to others
	Hash  CodeHash    `json:"-"`
	Group bool        `json:"group,omitzero"` // for a group, and not for a private chat
	Name  string      `json:"name,omitzero"`  // of the person; empty: as Telegram names them
	Roles []string    `json:"roles,omitzero"` // that the person gets
	Made  time.Time   `json:"made,omitzero"`
	Until time.Time   `json:"until,omitzero"` // it cannot be used from then on
	Used  time.Time   `json:"used,omitzero"`  // zero: not yet
}

// Invite makes an invitation and its code, which belongs into the link and is kept
// nowhere: 24 random bytes in base64url, within the 64 characters that Bot API deep
// linking allows.
func Invite(now time.Time) (Invitation, string) {
	var b [24]byte
	rand.Read(b[:]) // never fails: crypto/rand
	code := base64.RawURLEncoding.EncodeToString(b[:])
	return Invitation{ID: question.NewID(), Hash: HashCode(code), Made: now, Until: now.Add(InvitedFor)}, code
}

// Refusal says why an invitation cannot be used at this time in a private chat or a
// group, in a closed word; empty: it can.
func (i Invitation) Refusal(group bool, at time.Time) string {
	switch {
	case !i.Used.IsZero():
		return "invitation-used"
	case !at.Before(i.Until):
		return "invitation-expired"
	case i.Group != group:
		return "invitation-elsewhere" // meant for the other kind of chat
	}
	return ""
}

// Guest is a person that an invitation let in.
type Guest struct {
	User       chat.UserID `json:"user"`
	Name       string      `json:"name,omitzero"`
	Roles      []string    `json:"roles,omitzero"`
	Since      time.Time   `json:"since,omitzero"`
	Invitation question.ID `json:"invitation,omitzero"`
	Chat       chat.ID     `json:"chat,omitzero"` // their private chat, which gets questions; 0: it does not
}

// GuestGroup is a group that an invitation let in. It gets questions.
type GuestGroup struct {
	Chat       chat.ID     `json:"chat"`
	By         chat.UserID `json:"by,omitzero"` // who used the invitation
	Since      time.Time   `json:"since,omitzero"`
	Invitation question.ID `json:"invitation,omitzero"`
}

// Pairings are the invitations, and the people and groups that they let in.
type Pairings struct {
	Invitations []Invitation
	Guests      []Guest
	Groups      []GuestGroup
}

// Empty reports whether nothing is in it.
func (p Pairings) Empty() bool { return len(p.Invitations)+len(p.Guests)+len(p.Groups) == 0 }
