package doctor

import (
	"context"
	"fmt"
	"time"

	"hermes/internal/backup"
	"hermes/internal/config"
)

// backupLate is how old the newest copy may be: hermes makes one a day, and tries again every hour.
const backupLate = backup.Every + 3*time.Hour

// backupChecks look at the daily copies of the database, if hermes makes any. Of several hermes only the one that acts does.
func backupChecks(c config.Config, status func() statusReply, now time.Time) []check {
	if c.BackupDir == "" {
		return nil
	}
	return []check{{"backup", one(func(context.Context) result {
		if c.Store != "" && status().standby != "" {
			return skip("this hermes stands by; the one that acts makes the copies, in its own folder")
		}
		return checkBackups(backup.Folder{Path: c.BackupDir, Of: c.BotID()}, now)
	})}}
}

func checkBackups(f backup.Folder, now time.Time) result {
	at, err := f.Newest(now)
	const remedy = "see the log of hermes serve, which says why; is there space in that folder, and may hermes write to it?"
	switch {
	case err != nil:
		return gradeFail.because(fmt.Sprintf("%s cannot be read: %v", f.Path, config.WithoutPath(err)), "check its owner and mode")
	case at.IsZero():
		return gradeFail.because("there is no copy of the database in "+f.Path+" (HERMES_BACKUP_DIR)", remedy)
	case now.Sub(at) > backupLate:
		return gradeFail.because(fmt.Sprintf("the newest copy in %s is %d hours old", f.Path, int(now.Sub(at).Hours())), remedy)
	}
	return pass("the newest copy in %s is %d hours old", f.Path, int(now.Sub(at).Hours()))
}
