package pending

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// JSON can say only Unicode, and package json puts U+FFFD for what is not; names of directories and what people write
// into a terminal may hold any bytes. In a record such a string is an object with its bytes in base64. For package json
// it is a string that begins with base64Mark, which nobody outside this process knows.
var (
	base64Mark   = rand.Text()
	marked       = regexp.MustCompile(`"` + base64Mark + `([^"]*)"`)
	base64Object = regexp.MustCompile(`\{"base64":"([^"]*)"\}`)
)

// encode is a record as it is stored: times are in UTC, and every string comes back byte for byte.
func encode[T any](record T) ([]byte, error) {
	marks := false
	walk(reflect.ValueOf(&record).Elem(), true, func(v reflect.Value) {
		if at, ok := v.Addr().Interface().(*time.Time); ok {
			*at = utc(*at)
		} else if s := v.String(); !utf8.ValidString(s) {
			v.SetString(base64Mark + base64.StdEncoding.EncodeToString([]byte(s)))
			marks = true
		}
	})
	value, err := json.Marshal(record)
	if marks {
		value = marked.ReplaceAll(value, []byte(`{"base64":"$1"}`))
	}
	return value, err
}

// decode reads what [encode] or an earlier hermes wrote.
func decode(value []byte, into any) error {
	if !bytes.Contains(value, []byte(`{"base64":`)) { // in a string of JSON it would be {\"base64\"
		return json.Unmarshal(value, into)
	}
	value = base64Object.ReplaceAll(value, []byte(`"`+base64Mark+`$1"`))
	if err := json.Unmarshal(value, into); err != nil {
		return err
	}
	var failed error
	walk(reflect.ValueOf(into).Elem(), false, func(v reflect.Value) {
		if v.Kind() != reflect.String {
			return
		}
		if text, ok := strings.CutPrefix(v.String(), base64Mark); ok {
			raw, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				failed = err
			}
			v.SetString(string(raw))
		}
	})
	return failed
}

// walk calls fn with every string and time in v, at any depth, to look at or to set. copies: lists, and what pointers
// lead to, are copied before, so that v alone changes.
func walk(v reflect.Value, copies bool, fn func(reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		fn(v)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			fn(v)
			return
		}
		for i := range v.NumField() {
			walk(v.Field(i), copies, fn)
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		if copies {
			list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(list, v)
			v.Set(list)
		}
		for i := range v.Len() {
			walk(v.Index(i), copies, fn)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if copies {
			one := reflect.New(v.Type().Elem())
			one.Elem().Set(v.Elem())
			v.Set(one)
		}
		walk(v.Elem(), copies, fn)
	}
}

// utc is the same instant without what no file can keep: the zone's name and the
// reading of the monotonic clock.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.Round(0).UTC()
}
