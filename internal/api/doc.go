// Package api has the wire types of hermes' own HTTP interface, as docs/http.md describes
// them, the way from the records to them, and the one reader and writer of its JSON.
// Fields are only ever added. The daemon answers with these types, and package apiclient
// reads them.
package api
