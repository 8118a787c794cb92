// Package record is what the stand-ins for OpenCode keep for tests that ask afterwards what came of a request.
package record

import (
	"strings"
	"sync"
)

// Record is what happened in one server. A stand-in embeds it and writes into it with Reply, End, Attempt and Run. Nothing in it is ever
// forgotten. Its methods may be called concurrently.
type Record struct {
	mu       sync.Mutex
	results  map[string]result // by call id
	settled  map[string]int    // effective replies by request id
	attempts map[string]int    // replies by request id
	ran      map[string]bool   // calls that were carried out
}

// result is what the agent got from one tool call.
type result struct {
	answers  [][]string
	answered bool
	output   string
	ended    bool
}

// New is an empty record.
func New() *Record {
	return &Record{results: map[string]result{}, settled: map[string]int{}, attempts: map[string]int{}, ran: map[string]bool{}}
}

// Reply notes that a reply took effect, or a dismissal, of which the call gets no answers: nil.
func (r *Record) Reply(request, call string, answers [][]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settled[request]++
	if answers != nil {
		r.results[call] = result{answers: answers, answered: true}
	}
}

// End notes what the model read of a call.
func (r *Record) End(call, output string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.results[call]
	got.output, got.ended = output, true
	r.results[call] = got
}

// Attempt notes a valid reply over HTTP.
func (r *Record) Attempt(request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts[strings.Clone(request)]++
}

// Run notes that a call was carried out.
func (r *Record) Run(call string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ran[call] = true
}

// Received is exactly what the agent got for a question call: the answers of the one reply that took effect, one list for each question.
// For a permission call it is one answer of one word: once, always or reject. ok is false while nothing has, and for a call that was
// dismissed, aborted or forgotten.
func (r *Record) Received(call string) (answers [][]string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.results[call]
	return got.answers, got.answered
}

// Output is the text that the model read as the result of a tool call, also of a rejected one. ok is false while the call runs.
func (r *Record) Output(call string) (text string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.results[call]
	return got.output, got.ended
}

// Replies is how many replies and dismissals for a request took effect on the agent: 0 or 1. Replies to a request of an aborted turn do not count.
func (r *Record) Replies(request string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settled[request]
}

// Attempts is how many valid replies and dismissals for a request id came over HTTP, whether or not they changed anything.
func (r *Record) Attempts(request string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attempts[request]
}

// Ran reports whether a tool call was carried out, also after an abort.
func (r *Record) Ran(call string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ran[call]
}
