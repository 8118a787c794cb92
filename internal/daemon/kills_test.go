//go:build !race

package daemon_test

// killStride: hermes is killed at every operation.
const killStride = 1
