//go:build race

package main

// killStride: under the race detector, which makes a life ten times as slow, hermes is
// killed at every seventh operation.
const killStride = 7
