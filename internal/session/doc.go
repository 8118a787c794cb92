// Package session has the words of OpenCode: where it runs (an [Origin]), its sessions, their
// turns and messages, the prompts that it takes, and why it takes none.
package session
