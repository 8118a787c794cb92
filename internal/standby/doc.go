// Package standby is what several hermes that share a database (HERMES_STORE) have beside a daemon: one of them acts, and the others
// stand by.
//
//   - [Database] and [Lease] are how they know their database, and which of them may act.
//   - A [Process] is one hermes of them. It waits for the lease, acts until it loses that, and waits again, for as long as it runs. While it
//     stands by it is a small HTTP server that answers every request with 503 and a [Reply].
//   - [GuardTransport] and [GuardDial] keep a process whose lease is over from being heard.
//   - [Addresses] are the client's side: of the hermes that it was given they find the one that acts. A client speaks to no other address; what a
//     standby says of the hermes that acts is for people.
//
// Of a daemon that lost the lease nothing is kept: the next one reads everything from the database, as after a restart. So
// taking over is the same code as starting.
package standby
