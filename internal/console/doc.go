// Package console is what commands share at a terminal: asking, styles, a spinner, QR codes,
// and text from elsewhere with every character visible.
package console
