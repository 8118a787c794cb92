// Package daemon assembles the program that hermes serve runs: the store, the adapters of
// Telegram and OpenCode, the bridge, the sessions, and the HTTP interface over them. A Daemon
// is made once, run once, and done. The HTTP interface is made of one type for each group of
// paths (questionAPI, askAPI, pairingAPI, linkAPI, journalAPI, statusAPI); Rulebook holds the
// configured rules and reads them anew (the bridge adds whom invitations let in), and countedStore is the store for those who write into the journal.
//
// Its tests play it whole, between the stand-ins of Telegram and OpenCode (see package
// internal/simulate/rig).
package daemon
