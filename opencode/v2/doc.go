// Package v2 is OpenCode 2: one service for all directories of a person, with all its routes under /api. A [Driver] lists,
// answers and looks up asks, hears events, and drives sessions; [Speech] is what they say while they say it.
//
// The release is served first: it was read in the source of 2.0.26, and files that comments name are
// of that. What it says of OpenCode besides was measured on a preview of 2.0 (2026-07-20). Where the
// two differ in a route or a body, that of the release is tried, then that of the preview, and the one
// that is there is remembered (call.Call.Else); where they differ in a name, both are read.
package v2
