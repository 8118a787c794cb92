package config

import "reflect"

// Changed returns the names of the variables whose values differ between two configurations, in
// the order of the example. It tells no value.
func Changed(a, b Config) (names []string) {
	t := reflect.TypeFor[settings]()
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range t.NumField() {
		field := t.Field(i)
		was := x.FieldByName(field.Name)
		if was.IsValid() && !reflect.DeepEqual(was.Interface(), y.FieldByName(field.Name).Interface()) {
			names = append(names, field.Tag.Get("envconfig"))
		}
	}
	return names
}
