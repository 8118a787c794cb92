// Package remote has the records of sessions that are driven from a chat: prompts that hermes owes, what a chat has settled on, whose turn is waited
// for, and which message belongs to which session. Package sessions works on them.
package remote
