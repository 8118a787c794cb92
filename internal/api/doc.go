// Package api has the wire types of hermes' own HTTP interface, as docs/http.md describes
// them, the way from the records to them, and how its JSON is read and written. The types of
// /v1/ask are in package ask, those of links in opencode/link.
// Fields are only ever added. The daemon answers with these types, and package apiclient
// reads them.
package api
