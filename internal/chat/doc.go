// Package chat has the words of Telegram: chats, people, messages, updates and files, as
// hermes sees them. Ids are Telegram's own.
package chat
