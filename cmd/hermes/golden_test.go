package main

import (
	"testing"

	"hermes/internal/simulate/rig"
)

func TestMain(m *testing.M) { rig.Main(m) }
