package rig

import (
	"time"

	"hermes/internal/storage"
)

// OpenLink has somebody open a link; group is 0 for one of the private chat.
func (r *Rig) OpenLink(user int64, link string, group int64) {
	r.T.Helper()
	if _, err := r.Telegram.OpenLink(user, link, group); err != nil {
		r.T.Fatal(err)
	}
	r.Wait(2 * time.Second)
}

// EnterByLink has somebody open a link, and Ada let them in.
func (r *Rig) EnterByLink(user int64, link string, group int64) {
	r.T.Helper()
	r.OpenLink(user, link, group)
	r.TapIn(Ada, Ada, "✅ Let in")
	r.Wait(2 * time.Second)
}

// Pairings is what the store has of people and groups that were let in.
func (r *Rig) Pairings() storage.Pairings {
	r.T.Helper()
	p, err := r.Daemon.Store.Pairings()
	if err != nil {
		r.T.Fatal(err)
	}
	return p
}

// MessagesTo is all that the bot wrote into a chat.
func (r *Rig) MessagesTo(chat int64) []string {
	var list []string
	for _, m := range r.Telegram.Messages(chat) {
		if m.FromBot {
			list = append(list, m.Text)
		}
	}
	return list
}
