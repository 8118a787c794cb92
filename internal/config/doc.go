// Package config reads the configuration: the HERMES_ variables of the environment and of
// the configuration file, and the rules file. It reports all mistakes at once, and shows no
// value of a variable, which may be a secret in the wrong place.
package config
