package kvtest_test

import (
	"testing"

	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"
)

func TestMemory(t *testing.T) {
	kvtest.Run(t, func(*testing.T) kv.DB { return new(kvtest.Memory).Open() })
}
