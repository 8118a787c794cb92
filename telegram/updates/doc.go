// Package updates brings what people do in Telegram in, as [inbound.Input].
//
// Each update is decoded alone and handed on. One that cannot be decoded is set aside and stops
// nothing. Before Telegram is told that an update arrived, the store has it: a poll hands its
// updates on, puts into the inbox those whose meaning nobody has stored, and only then confirms
// them; the webhook puts each update into the inbox, raw, before it answers, and one loop hands on
// what is there, in the order of the ids, at the start and later. An inbox that does not take an update ends this: Telegram holds the update.
package updates
