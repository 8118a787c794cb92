// Package sessionview makes the messages about sessions: what a session did and does, the lists
// of sessions and directories, and what became of a prompt. It is pure.
package sessionview
