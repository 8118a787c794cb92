// Package updates brings what people do in Telegram in, as [inbound.Input].
//
// Every update is kept in the inbox, raw, before Telegram is told that it arrived; only then
// is it decoded, alone, and handed on. An update that cannot be decoded is set aside and stops
// nothing. Long polling and the webhook differ only in how an update gets to the inbox: what
// came to the webhook out of order is put in order, by the ids.
package updates
