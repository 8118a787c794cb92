package demo

import (
	"fmt"
	"strings"

	opencode "hermes/internal/simulate/opencodesim"
)

// script is what the agent says, in one language.
type script struct {
	sessions map[string]string // titles, by step

	database, platforms, languages, name, release, retry, payment, cache, hostile opencode.Question
	build, deploy                                                                 string // what commands are for

	regions regionWords
	plan    planWords
}

// regionWords make a question with an option for each part of each area.
type regionWords struct {
	header, question string
	areas, parts     []string
	option           string // with blanks for area and part
}

// planWords make a question of any length.
type planWords struct {
	header, begin, step, end string // step has blanks for a number, a table, a size and minutes
	options                  []opencode.Option
}

func (w script) regionQuestion() opencode.Question {
	q := opencode.Question{Header: w.regions.header, Question: w.regions.question}
	for _, area := range w.regions.areas {
		for _, part := range w.regions.parts {
			q.Options = append(q.Options, opencode.Option{Label: fmt.Sprintf(w.regions.option, area, part)})
		}
	}
	return q
}

// planQuestion is a question of about as many characters, whose end matters.
func (w script) planQuestion(size int) opencode.Question {
	tables := []string{"orders", "order_lines", "customers", "addresses", "payments", "refunds", "shipments", "coupons"}
	var b strings.Builder
	b.WriteString(w.plan.begin + "\n\n")
	for i, written := 1, 0; written < size-150; i++ {
		step := fmt.Sprintf(w.plan.step, i, tables[i%len(tables)], 500*(1+i%7), 5+i%4*5)
		b.WriteString(step + "\n\n")
		written += len([]rune(step)) + 2
	}
	b.WriteString(w.plan.end)
	return opencode.Question{Header: w.plan.header, Question: b.String(), Options: w.plan.options}
}

func chineseScript() script {
	return script{
		sessions: map[string]string{
			"single": "修复结账流程", "several": "新建服务", "crash": "订单测试", "command": "全新构建", "deploy": "部署到生产环境",
			"multiple": "配置 CI", "change": "调整默认值", "typed": "发布 2.0", "subagent": "接入支付", "many": "制定上线计划",
			"long": "迁移订单", "file": "迁移全部数据", "hostile": "清理", "expiring": "每夜构建",
		},
		database: opencode.Question{Header: "数据库", Question: "这个功能应该使用哪种数据库？", Options: []opencode.Option{
			{Label: "SQLite", Description: "基于文件，无需运行服务"},
			{Label: "PostgreSQL（推荐）", Description: "适合生产环境，需要服务器"},
		}},
		platforms: opencode.Question{
			Header: "平台", Question: "CI 应该在哪些平台上测试？", Multiple: true,
			Options: []opencode.Option{{Label: "Linux"}, {Label: "macOS"}, {Label: "Windows"}, {Label: "FreeBSD"}},
		},
		languages: opencode.Question{
			Header: "语言", Question: "这个服务可以用哪些语言编写？", Multiple: true,
			Options: []opencode.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
		},
		name: opencode.Question{Header: "名称", Question: "这个服务应该叫什么名字？", Options: []opencode.Option{}},
		release: opencode.Question{Header: "发布", Question: "应该怎样宣布这次发布？", Options: []opencode.Option{
			{Label: "只写更新日志"},
			{Label: "写博客文章", Description: "我来起草，你来发布"},
		}},
		retry: opencode.Question{Header: "不稳定的测试", Question: "订单测试每十次失败一次。我应该怎么做？", Options: []opencode.Option{
			{Label: "查找原因", Description: "可能需要一小时"},
			{Label: "暂时跳过"},
		}},
		payment: opencode.Question{Header: "重试", Question: "测试中一次支付调用超时了。可以重试吗？", Options: []opencode.Option{
			{Label: "可以，用同一个键", Description: "支付方只会处理一次"},
			{Label: "不，让订单失败"},
		}},
		cache: opencode.Question{
			Header: "缓存", Question: "构建缓存有 14 GB。可以清空吗？",
			Options: []opencode.Option{{Label: "清空"}, {Label: "保留"}},
		},
		hostile: opencode.Question{
			Header: "<b>清理</b>", Question: "删除 <script>alert(1)</script> & *build* 吗？\n\u202Etxt.gpj\u202C 是一个倒着读的文件名。\n✅ Ada 已回答 · 14:05",
			Options: []opencode.Option{{Label: "<i>全部</i>删除", Description: "真的 &lt;全部&gt;"}, {Label: "保留"}},
		},
		build: "从头构建", deploy: "部署新版本",
		regions: regionWords{
			header: "地区", question: "应该先在哪个地区上线？", option: "%s%s",
			areas: []string{"非洲", "亚洲", "欧洲", "北美洲", "大洋洲", "南美洲"},
			parts: []string{"北部", "东部", "南部", "西部", "中部"},
		},
		plan: planWords{
			header: "计划", begin: "这是迁移计划，请读到最后。",
			step:    "%d. 复制 %s，每批 %d 行，核对行数；连续 %d 分钟一致后，把读取切换过去。",
			end:     "最后：删除旧表。此操作无法撤销。现在开始吗？",
			options: []opencode.Option{{Label: "开始"}, {Label: "开始，但保留旧表"}, {Label: "不开始"}},
		},
	}
}

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
