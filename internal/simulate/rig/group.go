package rig

import (
	telegram "hermes/internal/simulate/telegramsim"
)

const (
	Team  = -1001234567890 // a supergroup
	Pair  = -77            // a basic group
	Crier = -1009999999999 // a channel
)

// AddTeam makes the supergroup Team with Ada, Bob and Eve in it.
func (r *Rig) AddTeam(forum bool) {
	r.Telegram.AddChat(telegram.Chat{
		ID: Team, Type: telegram.Supergroup, Title: "Team", Forum: forum, Members: []int64{Ada, Eve}, Admins: []int64{Bob},
	})
}
