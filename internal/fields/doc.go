// Package fields has what a field of a form takes: its kind, its checks, what a person's text means as an answer to it, and
// what is sent of that. All of it is pure. Which fields a form has, and which of them are asked, is for package question.
package fields
