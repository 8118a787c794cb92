// Package doctor looks for what would keep a question from its answer. Each Check looks at
// one thing, changes nothing, and says what it found and what to do about it.
package doctor
