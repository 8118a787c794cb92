package setup

// SetVariable writes a variable into a configuration file, or takes it out if the value is empty. All other lines stay as they are.
func SetVariable(path, name, value string) error {
	before, _, err := readEnv(path)
	if err != nil {
		return err
	}
	after, changes := editEnv(before, []envEdit{{name, value}})
	if len(changes) == 0 {
		return nil
	}
	return replaceFile(path, after, 0o600, 0o700)
}
