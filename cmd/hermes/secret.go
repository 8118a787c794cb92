package main

import masked "hermes/internal/secret"

// secret is a setting that must not be shown.
type secret = masked.Text

// mask is what is shown in place of a secret.
const mask = "***"
