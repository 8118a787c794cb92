// Package words holds all that hermes says in chats, in every language.
//
// A language is one file, such as english.go, with a function that returns its [Table], and one
// line in languages.go. A test holds all tables against the first: none may lack a text, leave
// one untranslated, or have other blanks to fill. Outside of chats a new language also concerns
// the values of HERMES_LANG (package config) and what hermes setup says (package setup).
package words
