package question

import "testing"

// deploying is an ask to hermes itself: may it deploy, where, and anything else.
func deploying() Request {
	go_ := one("Yes", "Stop the release")
	go_.ID, go_.Custom, go_.Options[0].ID, go_.Options[1].ID, go_.Options[1].Cancels = "go", false, "yes", "cancel", true
	where := listed(many("Europe", "America", "Asia and Pacific", "Nowhere"))
	where.ID = "where"
	for i, id := range []string{"eu", "us", "ap", "skip"} {
		where.Options[i].ID, where.Options[i].Cancels = id, id == "skip"
	}
	notes := one()
	notes.ID = "notes"
	return asking(go_, where, notes)
}

func TestCancellingConversations(t *testing.T) {
	for name, script := range map[string]string{
		"at once": `
			tap 2          => answered [#2] [] []
			again          => repeated
			tap 1          => closed`,
		"in the middle": `
			tap 1          => 2/3 [#1] [] []
			tap 2          => 2/3 [#1] [#2] []
			tap 4          => answered [#1] [#2 #4] []`,
		"in words": `
			say yes        => 2/3 [#1] [] []
			say skip       => answered [#1] [#4] []`,
		"in words, while others are added": `
			say yes        => 2/3 [#1] [] []
			tap 1          => 2/3 [#1] [#1] []
			say skip       => answered [#1] [#1 #4] []`,
		"from the review": `
			tap 1          => 2/3 [#1] [] []
			say eu         => 3/3 [#1] [#1] []
			say none       => review [#1] [#1] [«none»]
			change 1       => 1/3 [#1] [#1] [«none»]
			tap 2          => answered [#2] [#1] [«none»]`,
		"one id that is unknown, where one is taken": `
			say maybe      => 1/3 [] [] [] !not-an-option
			say yes, no    => 1/3 [] [] [] !not-an-option
			say yes, cancel => 1/3 [] [] [] !only-one
			say yes        => 2/3 [#1] [] []`,
		"unknown ids among several": `
			tap 1          => 2/3 [#1] [] []
			say mars, venus => 2/3 [#1] [] [] !not-an-option
			say not eu     => 2/3 [#1] [] [] !not-an-option
			say eu, mars and 2 => 3/3 [#1] [#1 #2] []`,
		"a label with a comma's word in it": `
			tap 1          => 2/3 [#1] [] []
			say asia and pacific => 3/3 [#1] [#3] []`,
	} {
		t.Run(name, func(t *testing.T) { play(t, deploying(), script) })
	}
}

// Only an ask to hermes itself passes over what it does not know.
func TestUnknownPartsOfAQuestion(t *testing.T) {
	play(t, asking(listed(languages())), `
		say Go, Zig    => 1/1 [] !not-an-option
		say Go, Rust   => answered [#1 #2]`)
}
