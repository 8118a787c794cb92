// Package clients makes the clients that a configuration asks for, for the daemon, setup and
// doctor alike: of the Bot API, and of the OpenCode servers that are reached directly. It also
// has what setup and doctor both do in a chat by themselves: send a message, replace it, and
// answer a tap.
package clients
