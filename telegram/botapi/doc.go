// Package botapi is the client of the Telegram Bot API, for everything in hermes that
// speaks with Telegram: the daemon, setup and doctor. It makes one attempt a call, and
// knows neither pace nor what a message looks like.
//
// Methods go through github.com/go-telegram/bot; their parameters are that library's.
// What it cannot do is here: updates that stay raw, each alone ([Client.GetUpdates]), and
// files ([Client.Fetch]). Under the library lies one way to the network, which tells of
// a failed call whether Telegram may have carried it out, and which leaves of a message or a chat only
// what hermes reads (results.go): a message that was sent never counts as failed because
// something else in the answer is new.
//
// Every error is an [*Error] without a secret in it.
//
// What goes over the wire is in testdata/requests, a file for each kind of request, to be
// held against https://core.telegram.org/bots/api.
package botapi
