//go:build !race

package main

// killStride: hermes is killed at every operation.
const killStride = 1
