// Package kv is what the store of hermes asks of a database: ordered keys in named buckets, and transactions. Its words are bbolt's, which
// was the first one behind it.
package kv

import "iter"

// DB is an open database. Its methods may be called concurrently.
type DB interface {
	// View calls fn with a transaction that reads one moment's state, and returns its error. fn must not write.
	View(fn func(Tx) error) error
	// Update calls fn with a transaction that reads and writes, one after the other. What fn wrote is there as a whole, for good, when Update returns
	// nil; none of it is there when fn failed. Where a database does not answer to a commit, Update fails, and the change may be there or not.
	Update(fn func(Tx) error) error
	// Close waits for transactions under way. Calls after it fail.
	Close() error
}

// Tx is a transaction. It and all that came from it may be used by one goroutine, until the function that got it returns.
// A read that fails reads nothing, and its error is View's or Update's.
type Tx interface {
	// Bucket is a bucket of the schema; asking for another one is a mistake of the program. It is nil in a file that was written before there was
	// such a bucket, and that is open for reading alone.
	Bucket(name string) Bucket
}

// MaxKey is how long a key may be, in bytes.
const MaxKey = 2048

// Bucket holds values by their keys, in the order of the keys' bytes. A key has at least one byte, and at most [MaxKey].
type Bucket interface {
	// Get returns nil for a key that is not there. What it returns must not be changed, and is good until the transaction ends.
	Get(key []byte) []byte
	// Put keeps a copy of neither: both must stay as they are until the transaction ends. A nil value is an empty one.
	Put(key, value []byte) error
	// Delete of a key that is not there is no error.
	Delete(key []byte) error
	// From goes over the records from a key on, in the order of the keys; nil: over all. While it does, nobody may write to the bucket.
	From(key []byte) iter.Seq2[[]byte, []byte]
	// Backward goes over all records, the last one first. Likewise.
	Backward() iter.Seq2[[]byte, []byte]
}

// Sizer is a DB that tells how large it is.
type Sizer interface {
	// Size is in bytes. It does not wait for transactions.
	Size() (int64, error)
}
