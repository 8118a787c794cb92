package rig

import (
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
)

// LoadFile loads a file of the given text as serve does.
func LoadFile(t *testing.T, text string) (config.Config, error) {
	t.Helper()
	return config.Load(config.Options{File: testenv.WriteFile(t, "hermes.env", text), Serve: true})
}
