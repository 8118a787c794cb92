package main

import (
	"hermes/policy"
)

// book says who may answer and which chats get it: without a rules file, all users
// and all chats.
func (c config) book() *policy.Book {
	var targets []policy.Target
	for _, chat := range c.TelegramChats {
		targets = append(targets, policy.Target{Chat: chat.ID, Topic: chat.Topic})
	}
	return policy.Everyone(c.TelegramUsers, targets)
}
