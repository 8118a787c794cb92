package config

import (
	"errors"
	"os"
	"reflect"

	"hermes/internal/secret"
)

// Setting is a variable that is set.
type Setting struct {
	Name  string
	Value string // *** for a secret, and for what is wrong, as that may be a secret in the wrong place
	From  string // the configuration file, or "the environment"
}

// Set lists the variables that are set, in the order of the example. The error is that of [Load], and does not keep them back.
func Set(opts Options) ([]Setting, error) {
	_, err := Load(opts)
	var wrong Mistakes
	if err != nil && !errors.As(err, &wrong) {
		return nil, err
	}
	path := configFile(opts.File)
	values, _, _ := readFile(path)
	var list []Setting
	t := reflect.TypeFor[settings]()
	for i := range t.NumField() {
		name := t.Field(i).Tag.Get("envconfig")
		value, inFile := values[name]
		from := path
		if text, ok := os.LookupEnv(name); ok {
			value, from = text, "the environment"
		} else if !inFile {
			continue
		}
		if value != "" && (IsSecret(name) || wrong.Has(name)) {
			value = secret.Mask
		}
		list = append(list, Setting{name, value, from})
	}
	return list, err
}

// IsSecret reports whether a variable holds a secret.
func IsSecret(name string) bool {
	t := reflect.TypeFor[settings]()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("envconfig") == name {
			return t.Field(i).Type == reflect.TypeFor[secret.Text]()
		}
	}
	return false
}

// CheckName says that a variable is none that the configuration file may have; nil: it may.
func CheckName(name string) error {
	var wrong, warnings Mistakes
	checkName(name, "true", true, &wrong, &warnings)
	return wrong.Err()
}
