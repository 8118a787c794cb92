// Package daemon assembles the program that hermes serve runs: the store, the adapters of
// Telegram and OpenCode, the bridge, the sessions, and the HTTP interface over them. A Daemon
// is made once, run once, and done.
//
// Its tests play it whole, between the stand-ins of Telegram and OpenCode (see package
// internal/simulate/rig).
package daemon
