// Package telegram speaks with people in Telegram, by package botapi: it shows what a
// [question.View] says, and turns what people do there into [question.Input].
//
// Inwards, every update is kept in the inbox, raw, before Telegram is told that
// it arrived; only then is it decoded, alone, and handed on. An update that
// cannot be decoded is set aside and stops nothing. Long polling and the
// webhook differ only in how an update gets to the inbox: what came to the webhook
// out of order is put in order, by the ids.
//
// Outwards, there is one queue a chat, in which cards go before all other messages. A
// goroutine works on it only while there is something to do, keeps to Telegram's flood
// limits, of which other messages may use a part only, and makes one attempt a post. What became of it is reported in a [question.Shown]; whether and when
// to try again is for the caller to decide. Callback queries are answered
// beside the queues, at once. The reply box opens by a message of its own, never by an
// edit.
//
// Rendering is pure: a view, a language and a time make a card. All text that
// hermes shows stands in two tables, English and Chinese. Text from agents and
// people is escaped, shown whole, and cannot change direction or hide.
//
// The token is in no error and no log line that leaves this package.
package telegram
