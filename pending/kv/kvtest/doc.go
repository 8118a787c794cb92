// Package kvtest is the suite that every engine behind [kv.DB] passes, and an engine in memory.
package kvtest
