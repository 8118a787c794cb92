// Package telegramsim is a strict stand-in for Telegram: the Bot API as an
// [net/http.Handler], and scripted people on the other side of it.
//
// A [Server] answers the bot as Telegram does (Bot API 10.3): long polling with
// its offset rules, webhooks, the limits on texts and keyboards, and refusals in the
// server's own words. It knows the methods, parameters, markup and buttons that hermes
// sends (telegram/botapi/testdata/requests). The people are driven by
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
// Sources: the Bot API documentation; for what it leaves open, the source of the server,
// named where it is followed as a file and line of telegram-bot-api 01a3679 (Client.cpp,
// WebhookActor.cpp, HttpReader.cpp) or of tdlib/td 022d602 (all others). Refusals in
// capitals, such as TOPIC_ID_INVALID, are those of Telegram behind the server, whose source
// is not public: they are what bots report. Where it is not known what
// Telegram does, an option such as [Options.CountUnits] plays the other answer.
//
// Known differences from Telegram: of the HTML parse mode only what hermes writes is
// taken, and bare ampersands are refused; parameters that hermes never sends are passed
// over, and other parse modes refused; links, hashtags and the like are not detected in
// the bot's own texts, only names (@name); the size limit of a keyboard and the time that a callback may wait for its answer are
// estimates, because Telegram documents neither.
package telegramsim
