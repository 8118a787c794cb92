// Package markup is text with the little formatting that hermes uses in Telegram: it is joined,
// cut to what one message holds, and written out as Bot API parse_mode HTML, or without any
// formatting. Text from elsewhere is made harmless here: one line of it ([OneLine]) that cannot
// change the order of what stands beside it ([Isolate]).
package markup
