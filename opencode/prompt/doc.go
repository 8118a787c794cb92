// Package prompt is what a prompt is made of, whichever OpenCode it is for: its id, its files,
// and whether the template of a command may be given a text.
package prompt
