// Package outbox has the queue of each chat. A goroutine works on a queue only while there is
// something to do, keeps to Telegram's flood limits, and makes one call after another: cards go
// before all other messages, and sources of cards take turns. It knows limits and order, and
// not what is sent.
package outbox
