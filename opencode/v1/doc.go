// Package v1 is OpenCode's protocol of ordinary sessions, 1.1.53 to 1.18: the routes at
// the server's root. [Protocol] is how asks are listed, heard, answered and looked up
// there, [Driver] how the sessions themselves are driven.
package v1
