// Package outbound has what chats are to show: cards, messages beside them, live messages, reply boxes and topics; and what became
// of it.
package outbound
