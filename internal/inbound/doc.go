// Package inbound has what comes in from chats: an [Input] is one thing that a person did, or
// that Telegram says of a chat, with its button understood.
package inbound
