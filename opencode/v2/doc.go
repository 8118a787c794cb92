// Package v2 is OpenCode's protocol of the sessions made through POST /api/session, 1.16
// to 1.18: the routes under /api. Such sessions are not driven.
package v2
