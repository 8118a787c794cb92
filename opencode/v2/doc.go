// Package v2 is OpenCode 2's protocol: one service for all directories of a person, with all
// its routes under /api. [Protocol] is how its asks are listed, heard, answered and looked up,
// [Driver] how its sessions are driven, [Speech] what they say while they say it.
//
// What it says of OpenCode was measured on a preview of 2.0 (2026-07-20), unless a comment
// names the release: that was read in the source of a tree like 2.0.17. Where the two differ in
// a route, both are tried and the one that is there is remembered (call.Call.Else); where they
// differ in a name, both are read.
package v2
