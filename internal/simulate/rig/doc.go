// Package rig is the assembled daemon between the stand-ins of Telegram and OpenCode, for
// tests: who writes and taps, what asks, what fails and when. It lives in a synctest bubble
// and uses no socket. At its end it fails the test for what the stand-ins did not allow, for
// secrets in the log, and for requests to Telegram that no file of package botapi documents.
package rig
