// Package probe is what contract tests of HTTP servers have in common: a client
// that sends a request and reads the answer to its end, one that waits for what a
// real server does only after its answer, and a reader of event streams.
package probe
