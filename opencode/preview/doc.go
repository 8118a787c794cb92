// Package preview is OpenCode's protocol of the sessions made through POST /api/session, 1.16
// to 1.18: the routes under /api as they were before OpenCode 2. Such sessions are not driven.
package preview
