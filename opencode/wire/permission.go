package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/internal/question"
)

// Unsent is the name under which a link to OpenCode 2 says, in the metadata of an ask, how many bytes of JSON each thing has that was
// too large to cross. An older hermes shows it as it shows all names that it does not know.
const Unsent = "hermes.unsent"

// unsentDetail is the name of a detail that says of another thing that it did not cross, and how large it is.
const unsentDetail = "unsent"

// addUnsent adds what did not cross.
func addUnsent(p *question.Permission, raw json.RawMessage) {
	var sizes map[string]int64
	if json.Unmarshal(raw, &sizes) != nil {
		addDetail(p, unsentDetail, Text(raw))
	}
	for name, bytes := range sizes {
		addDetail(p, unsentDetail, fmt.Sprintf("%s, %d kB", name, (bytes+999)/1000))
	}
}

// isUnsent reports whether something that OpenCode says of an ask did not cross.
func isUnsent(p *question.Permission, name string) bool {
	return slices.ContainsFunc(p.Details, func(d question.Detail) bool {
		return d.Name == unsentDetail && strings.HasPrefix(d.Text, name+", ")
	})
}

// AddMetadata adds what OpenCode itself says of an ask. What the patterns or the diff
// show is not added twice.
func AddMetadata(p *question.Permission, metadata map[string]json.RawMessage) {
	for name, raw := range metadata {
		text := Text(raw)
		switch {
		case text == "", repeatsPatterns(name):
		case name == Unsent:
			addUnsent(p, raw)
		case name == "command":
			p.Command = text
		case name == "diff":
			p.Diff = text
		default:
			addDetail(p, name, text)
		}
	}
	addFiles(p, metadata)
	tidyDetails(p)
}

// AddInput adds the input of the tool call. That is what the model wrote, and it may
// hold names that the tool does not know: none of them can take the place of what
// OpenCode says, or hide anything. Of a command that OpenCode says and that did not cross, rules go on not to know what it is.
func AddInput(p *question.Permission, input map[string]json.RawMessage) {
	for name, raw := range input {
		switch text := Text(raw); {
		case text == "", name == "command" && text == p.Command, name == "diff" && text == p.Diff:
		case name == "command" && p.Command == "" && !isUnsent(p, name):
			p.Command = text
		default:
			addDetail(p, name, text)
		}
	}
	addPatch(p, input)
	tidyDetails(p)
}

// addDetail adds one thing, unless it is there already.
func addDetail(p *question.Permission, name, text string) {
	same := func(d question.Detail) bool { return strings.EqualFold(d.Name, name) && d.Text == text }
	if !slices.ContainsFunc(p.Details, same) {
		p.Details = append(p.Details, question.Detail{Name: name, Text: text})
	}
}

// tidyDetails sorts the details, and drops those that a diff shows, with what is known of the files.
func tidyDetails(p *question.Permission) {
	if p.Diff != "" {
		p.Details = slices.DeleteFunc(p.Details, func(d question.Detail) bool {
			return isInDiff(d.Name) || namesFiles(d.Name) && len(p.Files) > 0
		})
	}
	slices.SortStableFunc(p.Details, func(a, b question.Detail) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Text, b.Text))
	})
}

func repeatsPatterns(name string) bool {
	return name == "patterns" || name == "directories" || name == "parentDir"
}

func isInDiff(name string) bool {
	switch name {
	case "filepath", "filePath", "oldString", "newString", "content", "filediff", "edits":
		return true
	}
	return false
}

func namesFiles(detail string) bool { return detail == "files" || detail == "patchText" }
