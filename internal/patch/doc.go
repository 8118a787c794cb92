// Package patch reads unified diffs, as git and OpenCode write them, and makes them short: a few lines
// around each change. It looks at the lines of the diff alone, so it needs no file.
package patch
