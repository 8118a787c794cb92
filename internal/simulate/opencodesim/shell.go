package opencodesim

import (
	"path"
	"path/filepath"
	"strings"
)

// commandsIn are the commands of a shell line as bash asks for them: cut at &&, ||,
// |, ; and line ends outside of quotes, without cd. Unlike OpenCode this knows
// neither here-documents nor $(…).
func commandsIn(line string) []string {
	var list []string
	for _, command := range cut(line) {
		if command != "" && firstWord(command) != "cd" {
			list = append(list, command)
		}
	}
	return list
}

func cut(line string) []string {
	var list []string
	var quote rune
	start := 0
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune(";|\n", r), strings.HasPrefix(line[i:], "&&"):
			list = append(list, strings.TrimSpace(line[start:i]))
			start = i + 1
		case r == '&' && start == i:
			start++ // the second of &&
		}
	}
	return append(list, strings.TrimSpace(line[start:]))
}

// wordsOf is how many words of a command make its name; OpenCode has a long table
// of those with more than one.
func wordsOf(name string) int {
	switch name {
	case "git", "npm", "docker", "go":
		return 2
	case "npm run":
		return 3
	}
	return 1
}

// prefixes are the patterns that always would allow for commands: the name and
// whatever follows.
func prefixes(commands []string) []string {
	list := make([]string, 0, len(commands))
	for _, command := range commands {
		list = append(list, commandName(strings.Fields(command))+" *")
	}
	return list
}

func commandName(fields []string) string {
	for len(fields) > 1 && strings.Contains(fields[0], "=") {
		fields = fields[1:] // a variable for the command alone
	}
	name := fields[0]
	for n := 1; wordsOf(name) > n; {
		n = wordsOf(name)
		name = strings.Join(fields[:min(n, len(fields))], " ")
	}
	return name
}

// outsideOf are the folders outside the project that a command is about: its
// workdir, and those of the absolute paths in it.
func outsideOf(dir string, in toolInput) []string {
	var list []string
	add := func(folder string) {
		if relative(dir, folder) == ".." || strings.HasPrefix(relative(dir, folder), "../") {
			if len(list) == 0 || list[len(list)-1] != folder {
				list = append(list, folder)
			}
		}
	}
	if in.Workdir != "" {
		add(path.Clean(in.Workdir))
	}
	for _, word := range strings.Fields(in.Command) {
		if strings.HasPrefix(word, "/") {
			add(path.Dir(word))
		}
	}
	return list
}

// madeBy are the files that the commands touch and mkdir make.
func madeBy(line, dir string) []string {
	var list []string
	for _, command := range commandsIn(line) {
		fields := strings.Fields(command)
		if name := fields[0]; name != "touch" && name != "mkdir" {
			continue
		}
		for _, file := range fields[1:] {
			if !strings.HasPrefix(file, "/") {
				file = path.Join(dir, file)
			}
			list = append(list, file)
		}
	}
	return list
}

// relative is a path as OpenCode names it in a project.
func relative(dir, file string) string {
	name, err := filepath.Rel(dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

func suffixed(list []string, suffix string) []string {
	all := make([]string, 0, len(list))
	for _, text := range list {
		all = append(all, text+suffix)
	}
	return all
}
