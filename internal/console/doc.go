// Package console is what commands share at a terminal: asking, styles, a spinner, QR codes
// and the wrapping of text. Text from elsewhere is made safe for it by package letters.
package console
