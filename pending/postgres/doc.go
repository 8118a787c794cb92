// Package postgres keeps the records of hermes in PostgreSQL, for two or more hermes with one bot: one of them acts, and the others wait until it does not.
//
//	hermes_records    bucket, key → value            what the buckets of a bbolt file hold
//	hermes_sequences  bucket → last                  what NextSequence returned last
//	hermes_lease      epoch, claim, holder, until    one row: who acts, and for how long; renewed every third of the lease
//	hermes_fence      epoch, claim, last_commit      one row: who may write; each transaction that writes changes it first
//	hermes_schema     version                        one row: which steps made the tables
//
// Who acts. [Database.Acquire] takes the lease when it is over by the database's clock. Its holder counts for itself, from before it sent the last good
// renewal and with a margin ([Lease.Valid]), so that it has stopped when another one can begin. The lease alone does not keep a holder from writing that was
// stopped in between: the fence does. A transaction takes the fence's row with its first question, and keeps it until it is over; a new holder takes it
// behind the last transaction of the one before, and after that the old claim changes no row ([ErrDeposed]). A transaction that its client leaves open is cut off by the server
// after a lease; one that waits for its client to take the rest of an answer, by who acquires the lease next. The claim is random beside the epoch, for a standby of the database that was promoted with less than all may give out an epoch twice.
//
// Whether a COMMIT happened. When the connection breaks between COMMIT and its answer, the next connection reads last_commit under the fence's lock. It is
// the transaction's own id, or the transaction did not happen and never will. Where nobody can be asked until the lease is over, the error is an [Unknown], and the lease is
// lost: hermes begins again from what is stored, as after a crash.
//
// Each commit also has the one before it as a condition: where a standby was promoted that lacks what had been confirmed, the holder knows more than is stored, and its
// next Update fails ([ErrRewound]), which ends the lease as well.
//
// What it costs. A transaction begins at the server with its first read, writes wait for the next read or for COMMIT, and all that waits goes in one round trip. What the
// holder read or wrote before it does not ask again, for nobody else writes, which each transaction proves. So a change of a record takes two round trips, that of a new one about four.
//
// What it needs. Plain SQL: transactions, row locks, insert … on conflict, two settings by set local. A pooler may give each transaction another connection. An asynchronous
// standby that is promoted may lack the last changes that were confirmed; a synchronous one does not. The clocks of servers that follow one another must agree to a tenth of
// the lease. Measured with PostgreSQL 15.
package postgres
