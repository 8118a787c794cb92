// Package version names the version of the binary that runs.
package version
