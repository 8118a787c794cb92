package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/handbook"
)

// widestDocument is the most characters of a line of prose: longer ones are hard to read. It is also the width where no terminal has one.
const widestDocument = 90

// mostHits is how many places of a search are shown.
const mostHits = 40

func docsCommand() *cobra.Command {
	search := false
	cmd := &cobra.Command{
		Use:   "docs [PAGE | WORD...]",
		Short: "Show the documents of this version, or search them",
		Long: "Show the documents that belong to this version of hermes. Without an argument it lists the pages; with the name of a page it shows that, on a\n" +
			"terminal with $PAGER, or less; other words are searched in all pages, and what has all of them is printed with its page and heading.",
		RunE: func(cmd *cobra.Command, args []string) error {
			out, pages := cmd.OutOrStdout(), handbook.Pages()
			if len(args) == 0 && search {
				return config.Mistakes{"--search: words are missing"}
			}
			if len(args) == 0 {
				return listPages(out, pages)
			}
			n := slices.IndexFunc(pages, func(p handbook.Page) bool { return p.Name == strings.TrimSuffix(args[0], ".md") })
			if len(args) == 1 && n >= 0 && !search {
				return page(cmd.Context(), out, pages[n].Render(styleOfDocuments(out)))
			}
			return printHits(out, handbook.Search(pages, splitAll(args)), args)
		},
	}
	cmd.Flags().BoolVarP(&search, "search", "s", false, "search, also for what is the name of a page")
	return cmd
}

// splitAll has the words of arguments, so that "two words" are searched like two arguments.
func splitAll(args []string) []string { return strings.Fields(strings.Join(args, " ")) }

func styleOfDocuments(out io.Writer) handbook.Style {
	style := handbook.Style{Width: widestDocument, Color: console.StyleFor(out, false, os.Getenv).Color}
	if width := terminalWidth(out); width > 0 {
		style.Width = min(style.Width, width)
	}
	return style
}

func listPages(out io.Writer, pages []handbook.Page) error {
	longest := 0
	for _, p := range pages {
		longest = max(longest, len(p.Name))
	}
	var b strings.Builder
	for _, p := range pages {
		fmt.Fprintf(&b, "%-*s  %s\n", longest, p.Name, p.Title)
	}
	b.WriteString("\nhermes docs PAGE shows one; hermes docs WORD... searches all.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// printHits prints what was found, by page and heading. Nothing found is a failure, as it is of grep.
func printHits(out io.Writer, hits []handbook.Hit, args []string) error {
	if len(hits) == 0 {
		return fmt.Errorf("no page has %q; hermes docs lists the pages", strings.Join(args, " "))
	}
	style, above := styleOfDocuments(out), ""
	var b strings.Builder
	for _, h := range hits[:min(len(hits), mostHits)] {
		if at := h.Page + ": " + h.Heading; at != above {
			above = at
			b.WriteString(at + "\n")
		}
		b.WriteString(console.Wrap(h.Text, "    ", "    ", style.Width))
	}
	if more := len(hits) - mostHits; more > 0 {
		fmt.Fprintf(&b, "and %d more; give another word\n", more)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// page prints a text, on a terminal with the pager that people have. Without one it is printed as it is.
func page(ctx context.Context, out io.Writer, text string) error {
	pager, set := os.LookupEnv("PAGER")
	if !set {
		pager = "less -FRX"
	}
	if pager != "" && console.IsTerminal(out) {
		cmd := exec.CommandContext(ctx, "sh", "-c", pager)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), out, io.Discard
		if cmd.Run() == nil {
			return nil
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

// completePages completes the names of pages.
func completePages(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, p := range handbook.Pages() {
		list = append(list, cobra.CompletionWithDesc(p.Name, p.Title))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
