// Package telegram speaks with people in Telegram: it shows what a [question.View] says, and turns
// what people do there into [inbound.Input].
//
// A [Bot] holds together what the packages below do. What comes in is package updates': it keeps
// every update in the inbox before it confirms it to Telegram, by polls or a webhook. What goes out
// waits in a queue of its chat, package outbox's, which keeps to Telegram's flood limits and lets
// cards go before all other messages. Packages card and sessionview render what is shown, with the
// texts of package words, the formatting of package markup, and buttons whose data is package
// callback's. All of them are pure. Calls go through package botapi.
//
// The Bot makes one attempt a post and reports what became of it in a [outbound.Shown]; whether and
// when to try again is for the caller to decide. Callback queries are answered beside the queues, at
// once. The reply box opens by a message of its own, never by an edit.
//
// Text from agents and people is escaped, shown whole, and cannot change direction or hide. The token
// is in no error and no log line that leaves this package.
package telegram
