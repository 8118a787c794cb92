// Package doctor looks for what would keep a question from its answer. Each check looks at
// one thing, changes nothing, and says what it found and what to do about it. Checks that need
// the same are methods of one part: hermesProbe, telegramChecks, storeChecks, pluginChecks,
// openCodeChecks. The running hermes asks the question of a round trip. What several need is asked once.
package doctor
