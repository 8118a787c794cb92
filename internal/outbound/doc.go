// Package outbound has what the bridge wants a chat to show: cards, messages beside them, reply boxes and topics; and what became
// of it.
// What package sessions wants shown is a remote.Message.
package outbound
