// Package pending owns the database in which hermes keeps what it owes: the open
// questions, the updates from Telegram that are not handled yet, and the journal
// of what happened. It is one bbolt file, which one hermes has to itself ([Open]), or
// one that several share ([OpenShared]), over any engine of package [kv]. What it returned from is on disk.
//
// What is about the file itself asks bbolt (open.go, file.go, damage.go, compact.go); the records ask package kv alone: how they are
// written and found (records.go, threads.go), what changes them (change.go, inbox.go, journal.go, links.go) and what takes them out (prune.go). An engine may call the function of a change more than once.
//
// The layout of schema 2. Numbers in keys are eight bytes, big-endian, with the
// sign bit flipped, so that keys sort as the numbers do. Records are the JSON of the
// domain's types; the rule by which those may change stands below.
//
//	meta        schema            "2"
//	            created           time, RFC 3339
//	            beat              time of the last good poll, RFC 3339
//	            token             mark of the bot's token that Telegram took last
//	            head              number of the last journal entry (8) + its hash (32)
//	            restoring         time; while [RestoreShared] replaces the records, and after it was cut off
//	open        thread id      -> thread        unsettled, or its end is not told everywhere
//	settled     thread id      -> thread        nothing is owed; kept so that late taps get the truth
//	ended       time + id      -> 1             index of settled by the time of the end
//	by_request  "=" request id -> thread id     of open and settled; "#" and hash for a huge id; "@" and hash of
//	                                            process and id for one that another process announced as well
//	by_message  chat + message -> thread id     of both, every message of their cards
//	chats       chat id        -> chat
//	inbox       update id      -> update as Telegram sent it
//	seen        update id      -> time, RFC 3339, when it left the inbox; it counts for two days
//	aside       counter        -> update that could not be read, the last 100, each its first 64 KiB
//	journal     number         -> hash (32) + entry
//	pairings    hash of code   -> invitation
//	people      user id        -> person that an invitation let in
//	groups      chat id        -> group that an invitation let in
//	errands     errand id      -> prompt that is owed to a session
//	watches     "=" session id -> session whose end of turn must be reported to somebody; "#" as above
//	seats       chat id        -> session in use, level and mute of the chat
//	said        chat + message -> session that the message belongs to
//	told        "=" session id -> the last turn whose end was reported; "#" as above
//	topics      chat + session -> topic of a root session
//	links       name           -> id, and hash of the token with which OpenCode's plugin opens links
//	link_codes  hash of a code -> whose machine may make a link with it, and which one did
//	unreadable  bucket, 0, key, counter -> record that stood there and that an earlier hermes could not read; nothing reads it
//
// [Open] reads all records but those of settled threads and the journal's. One that it cannot read stays where it is, and hermes works without it.
//
// The rule for every type that is stored: fields are only ever added. A field is never renamed in JSON, never given
// another type or meaning, and its name is never used again once it is gone. A field that is missing, as in records from
// before it was added, means its zero value, so that must be right for them. Hence a hermes reads every record of its
// schema, older or newer than itself. A field that it does not know is not kept when it stores the record anew. So
// whoever adds a field whose loss would do harm raises schemaVersion, and an older hermes refuses the file; for any other
// field, going back to an older hermes loses what it did not know of, and nothing else. The journal's fields are added at
// the end, those of [question.Actor] among them, for their order is hashed.
//
// An empty list and a missing one are different and stay so. Times are UTC to the nanosecond, durations are
// nanoseconds. A string that is no UTF-8 is an object with its bytes in base64, and comes back byte for byte.
//
// A journal entry's hash is SHA-256 over the hash of the entry before it (32 zero
// bytes for the first) and the entry's JSON, so that a change anywhere shows in
// every later hash. Whoever can write the file can also write a whole new chain;
// what the chain proves is that nothing was changed since a head that is known
// from elsewhere.
//
// A request id names an ask only together with the process that announced it. The entry
// with "=" leads to the process that announced the id first; what another process
// announces with the same id is found by an entry with "@", while the other is there. A
// hermes that does not know "@" leaves those entries behind, leading nowhere.
//
// Index entries change in the transaction that changes their record. An index
// entry belongs to the thread it names: a thread that another took an entry over
// from leaves it alone.
//
// A [Store] holds the database. Its part [Links] changes buckets that
// no [storage.Change] is about.
//
// A [Store] may be used by many goroutines. One process at a time can hold the
// file, or act in a database that several share: the engine sees to that.
package pending
