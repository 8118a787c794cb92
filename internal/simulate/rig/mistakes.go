package rig

import (
	"hermes/internal/simulate/testenv"
)

// WellFormed is a configuration that serve takes; tests add to it.
const WellFormed = "HERMES_TELEGRAM_TOKEN=" + testenv.GoodToken + "\nHERMES_TELEGRAM_USERS=7\n"
