// Package storage has what the store keeps beside the records themselves: a [Change], which is
// one transaction, an [Entry] of the journal, the key that finds a thread, invitations and
// those they let in, and topics. Package pending keeps it in a file.
package storage
