// Package updates brings what people do in Telegram in, as [inbound.Input].
//
// Each update is decoded alone and handed on. One that cannot be decoded is set aside and stops
// nothing. Before Telegram is told that an update arrived, the store has it: a poll hands its
// updates on, puts into the inbox those whose meaning nobody has stored, and only then confirms
// them; the webhook puts each update into the inbox, raw, before it answers, and hands them on
// in the order of their ids. An inbox that does not take an update ends this: Telegram holds the update.
package updates
