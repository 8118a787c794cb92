// Package standby is what hermes serve runs where several hermes share a database (HERMES_STORE): one of them acts, which is a
// daemon, and the others stand by, which is a small HTTP server that says so. A Process is both in turns, for as long as it runs: it
// waits for the lease, acts until it loses that, and waits again.
//
// Of a daemon that lost the lease nothing is kept: the next one reads everything from the database, as after a restart. So
// taking over is the same code as starting.
package standby
