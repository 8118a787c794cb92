// Package event has what OpenCode says of asks and sessions: an [Event], as it happens, and a
// [Finding], when it is asked.
package event
