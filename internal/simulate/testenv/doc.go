// Package testenv keeps tests apart from the machine they run on: an environment without the
// person's own variables, files with configurations, and a buffer for logs.
package testenv
