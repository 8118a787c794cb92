//go:build race

package daemon_test

// killStride: under the race detector, which makes a life ten times as slow, hermes is
// killed only here and there.
const killStride = 23
