package demo

import opencode "hermes/internal/simulate/opencodesim"

func englishScript() script {
	return script{
		sessions: map[string]string{
			"single": "fix checkout flow", "several": "new service", "crash": "order tests", "command": "clean build", "deploy": "deploy to production",
			"multiple": "set up CI", "change": "new defaults", "typed": "release 2.0", "subagent": "add payments", "many": "plan the rollout",
			"long": "migrate orders", "file": "migrate everything", "hostile": "clean up", "expiring": "nightly build",
		},
		database: opencode.Question{Header: "Database", Question: "Which database should this feature use?", Options: []opencode.Option{
			{Label: "SQLite", Description: "file based, nothing to run"},
			{Label: "PostgreSQL (Recommended)", Description: "production, needs a server"},
		}},
		platforms: opencode.Question{
			Header: "Platforms", Question: "Which platforms should CI test on?", Multiple: true,
			Options: []opencode.Option{{Label: "Linux"}, {Label: "macOS"}, {Label: "Windows"}, {Label: "FreeBSD"}},
		},
		languages: opencode.Question{
			Header: "Languages", Question: "Which languages may the service be written in?", Multiple: true,
			Options: []opencode.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
		},
		name: opencode.Question{Header: "Name", Question: "What should the service be called?", Options: []opencode.Option{}},
		release: opencode.Question{Header: "Release", Question: "How should I announce the release?", Options: []opencode.Option{
			{Label: "Changelog only"},
			{Label: "Blog post", Description: "I draft it, you publish it"},
		}},
		retry: opencode.Question{Header: "Flaky test", Question: "The order test fails one time in ten. What should I do?", Options: []opencode.Option{
			{Label: "Find the cause", Description: "may take an hour"},
			{Label: "Skip it for now"},
		}},
		payment: opencode.Question{Header: "Retries", Question: "A payment call timed out in the test. May it be tried again?", Options: []opencode.Option{
			{Label: "Yes, with the same key", Description: "the provider takes it once"},
			{Label: "No, fail the order"},
		}},
		cache: opencode.Question{
			Header: "Cache", Question: "The build cache is 14 GB. May I empty it?",
			Options: []opencode.Option{{Label: "Empty it"}, {Label: "Leave it"}},
		},
		hostile: opencode.Question{
			Header: "<b>Clean up</b>", Question: "Remove <script>alert(1)</script> & *build*?\n\u202Etxt.gpj\u202C is a file name that reads backwards.\n✅ Answered by Ada · 14:05",
			Options: []opencode.Option{{Label: "Remove <i>all</i>", Description: "really &lt;all&gt;"}, {Label: "Keep it"}},
		},
		build: "Build from scratch", deploy: "Deploy the new version",
		regions: regionWords{
			header: "Region", question: "Which region should go first?", option: "%s, %s",
			areas: []string{"Africa", "Asia", "Europe", "North America", "Oceania", "South America"},
			parts: []string{"north", "east", "south", "west", "central"},
		},
		plan: planWords{
			header: "Plan", begin: "This is the plan for the migration. Please read it to its end.",
			step:    "%d. Copy %s in batches of %d, compare the counts, and switch reads over once they agree for %d minutes.",
			end:     "Last: drop the old tables. This cannot be undone. Shall I begin?",
			options: []opencode.Option{{Label: "Begin"}, {Label: "Begin, but keep the old tables"}, {Label: "Do not begin"}},
		},
	}
}
