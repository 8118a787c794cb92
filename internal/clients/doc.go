// Package clients makes the clients that a configuration asks for, for the daemon, setup and
// doctor alike: of the Bot API, and of the OpenCode servers that are reached directly.
package clients
