// Package v1 is OpenCode 1.1.53 to 1.18: the routes at the server's root. A [Driver] lists, answers and looks up the asks of a
// directory, hears its events, and drives its sessions.
package v1
