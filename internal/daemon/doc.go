// Package daemon assembles the program that hermes serve runs: the store, the adapters of
// Telegram and OpenCode, the bridge, the sessions, and the HTTP interface over them. A Daemon
// is made once, run once, and done. Its answers are methods
// of the Daemon in a file for each group of paths (api_question.go and so on); Rulebook holds the
// configured rules and reads them anew (the bridge adds whom invitations let in), and countedStore is the store for those who write into the journal.
//
// Its tests play it whole, between the stand-ins of Telegram and OpenCode (see package
// internal/simulate/rig).
package daemon
