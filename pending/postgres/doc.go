// Package postgres keeps the records of hermes in PostgreSQL, for two or more hermes with one bot: one of them acts, and the others wait until it does not.
//
//	hermes_records    bucket, key → value            what the buckets of a bbolt file hold
//	hermes_sequences  bucket → last                  nothing reads it: hermes of before counted there what was set aside
//	hermes_lease      epoch, claim, holder, until    one row: who acts, and for how long; renewed every third of the lease
//	hermes_fence      epoch, claim, last_commit      one row: who may write; each transaction that writes changes it first
//	hermes_schema     version                        one row: which steps made the tables
//
// Who acts. [Database.Acquire] takes the lease when it is over by the database's clock. Its holder counts for itself, from before it sent the last good
// renewal, by a clock that nobody sets, and with a margin ([Lease.Valid]), so that it has stopped when another one can begin. The lease alone does not keep a holder from writing that was
// stopped in between: the fence does. A transaction takes the fence's row with its first question, and keeps it until it is over; a new holder takes it
// behind the last transaction of the one before, and after that the old claim changes no row ([ErrDeposed]). A transaction that its client leaves open is cut off by the server
// after a lease; one that waits for its client to take the rest of an answer, by who acquires the lease next. The claim is random beside the epoch, for a standby of the database that was promoted with less than all may give out an epoch twice.
//
// Whether a COMMIT happened. When no answer to it comes, nobody asks: the error is an [Unknown], and the lease is lost, as after each transaction that does not come to its end.
// hermes begins again from what is stored, as after a crash. It takes back at once the lease that it lost before its time, behind the transaction of which it does not know: that one still
// holds the fence, or has ended.
//
// Each commit also has the one before it as a condition: where a standby was promoted that lacks what had been confirmed, the holder knows more than is stored, and its
// next Update fails ([ErrRewound]).
//
// What it costs. A transaction begins at the server with its first read; each read is a round trip, and takes along the writes before it; COMMIT takes along the rest.
//
// What it needs. Plain SQL: transactions, row locks, insert … on conflict, two settings by set local. A pooler may give each transaction another connection. An asynchronous
// standby that is promoted may lack the last changes that were confirmed; a synchronous one does not. The clocks of servers that follow one another must agree to a tenth of
// the lease. Measured with PostgreSQL 15.
package postgres
