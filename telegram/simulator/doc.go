// Package simulator is a strict stand-in for Telegram: the Bot API as an
// [net/http.Handler], and scripted people on the other side of it.
//
// A [Server] answers the bot as Telegram does (Bot API 10.3): long polling with
// its offset rules, webhooks, the limits on texts and keyboards, HTML and
// MarkdownV2 parsing, and the exact words of every refusal. The people are driven by
// methods such as [Server.Say], [Server.Tap] and [Server.Block]; what they see is
// read back with [Server.Messages], [Server.Alerts] and [Server.Transcript].
// [Server.SetFault] makes single calls fail in the ways a network fails, and
// [Server.Violations] lists what the bot did that the protocol forbids.
//
// Everything lives in memory; nothing survives the process. All methods may be
// called from several goroutines. All waiting is on channels and timers made by
// the server itself, so a server that is made inside a testing/synctest bubble
// and reached through [Server.Transport] runs on the bubble's clock.
//
// Known differences from Telegram: the legacy "Markdown" parse mode is refused;
// links, hashtags and the like are not detected in the bot's own texts; the size
// limit of a keyboard and the time that a callback may wait for its answer are
// estimates, because Telegram documents neither. A chat takes any number of messages
// that are being sent, where the server refuses the 311th for a minute (Client.h:73),
// and files of one size wait for one another nowhere (Client.cpp:12672-12699): hermes
// sends one message after the other in a chat.
package simulator
