// Package storage has the types of the store's interface: a [Change], which is one
// transaction, an [Entry] of the journal, the [Key] that finds a thread, invitations and those
// they let in, and topics. Package pending keeps it in a file.
package storage
