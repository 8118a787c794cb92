// Package apiclient is the client of hermes' own HTTP interface: commands reach the hermes
// that runs with their configuration through it. Where none runs, some of what it does
// goes to the database instead, which no hermes uses then.
package apiclient
