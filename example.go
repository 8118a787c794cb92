// Package hermes holds the example of the configuration, so that the binary can print it: a Go file embeds only what lies beside
// or below it.
package hermes

import _ "embed"

//go:embed config.example.env
var example string

// ExampleConfig is config.example.env: every setting with its default and what it means, in the form of a configuration file.
func ExampleConfig() string { return example }
