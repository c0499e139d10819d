package analytics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// EventFiles is the outbox event that counts the files of an account.
const EventFiles = "analytics.files"

// filesLast is how long a count of files is not begun anew: it reads the record of every file.
const filesLast = time.Hour

// countingFiles is the payload of the event.
type countingFiles struct {
	WABAID    model.WABAID `json:"wabaId"`
	StartedAt model.Time   `json:"startedAt"`
}

// CountFiles has the files of an account counted that are kept: those that customers have sent, and those that were
// uploaded for messages. A count that is under way, or that has just ended, is not begun again. tenant is the one that
// asks. Its condition is that the account is as it was read.
func (s *Analytics) CountFiles(ctx context.Context, tenant model.TenantID, waba model.WABAID) error {
	return s.changeAccount(ctx, waba, func(a *model.Account) ([]dynamo.Write, bool, error) {
		was, now := a.Files, s.Now()
		if was != nil && (was.CountedAt > model.At(now.Add(-filesLast)) ||
			was.Counting != nil && was.Counting.StartedAt > model.At(now.Add(-patience))) {
			return nil, false, nil
		}
		a.PK, a.ItemType, a.WABAMetaID = keys.Account(waba).Partition, model.ItemAccount, waba
		next := model.FilesCounted{Counting: &model.FilesCounting{StartedAt: model.At(now)}}
		if was != nil {
			next.CountedAt, next.Files = was.CountedAt, was.Files
		}
		a.Files = &next
		writes, err := s.Outbox.Queue(ctx,
			outbox.Entity{Tenant: tenant, Type: keys.EntityAnalytics, ID: "files:" + string(waba)}, EventFiles,
			countingFiles{waba, next.Counting.StartedAt})
		return writes, true, err
	})
}

// filesStep counts one page of files and stores how far the count has come. It reports whether there is nothing more to
// do. The condition is that the account is as it was read, so that no page counts twice.
func (s *Analytics) filesStep(ctx context.Context, of countingFiles) (done bool, err error) {
	err = s.changeAccount(ctx, of.WABAID, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if a.Files == nil || a.Files.Counting == nil || a.Files.Counting.StartedAt != of.StartedAt {
			done = true // it is counted, or was begun anew
			return nil, false, nil
		}
		c := a.Files.Counting
		next, err := s.filesPage(ctx, of.WABAID, c)
		if err != nil {
			return nil, false, err
		}
		if c.After, done = next, next == ""; done {
			a.Files = &model.FilesCounted{CountedAt: model.At(s.Now()), Files: c.Files}
		}
		return nil, true, nil
	})
	return done, err
}

// filesPage adds the next files of an account to a count, and returns where the one after them begins; "" at the end.
func (s *Analytics) filesPage(ctx context.Context, waba model.WABAID, c *model.FilesCounting) (string, error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWABAItemType, Where: "wabaMetaId = :w AND itemType = :type",
		Values: dynamo.Item{":w": dynamo.S(waba), ":type": dynamo.S(model.ItemMedia)},
	}, cmp.Or(s.PageSize, pageSize), c.After)
	if err != nil {
		return "", fmt.Errorf("list files: %w", err)
	}
	files, err := dynamo.Whole[model.Media](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return "", fmt.Errorf("read files: %w", err)
	}
	if c.Files == nil {
		c.Files = map[string]model.FileCounts{}
	}
	for _, file := range files {
		if file.S3Key == "" {
			continue // it is not there yet, or any more
		}
		month := string(file.UploadedAt)[:min(len(file.UploadedAt), len("2006-01"))]
		counts := c.Files[month]
		if file.UploadedBy != "" {
			counts.Outgoing++
			counts.OutgoingBytes += file.ContentLength
		} else {
			counts.Incoming++
			counts.IncomingBytes += file.ContentLength
		}
		c.Files[month] = counts
	}
	return next, nil
}

// Files is what is kept of the files of some accounts, as far as they were counted.
type Files struct {
	Stored model.FileCounts // those that were stored in the month
	Kept   model.FileCounts // all of them
	// CountedAt is when the account was counted whose count is the oldest; "" if one of them was never counted.
	CountedAt model.Time
}

// FilesOf returns what was counted last of the files of accounts, and of those that were stored in a month, yyyy-mm.
func (s *Analytics) FilesOf(ctx context.Context, accounts []model.WABAID, month string) (f Files, err error) {
	for i, waba := range accounts {
		var a model.Account
		err := s.DB.Get(ctx, tables.Messages, keys.Account(waba), &a)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return f, err
		}
		if a.Files == nil {
			a.Files = &model.FilesCounted{}
		}
		if i == 0 || a.Files.CountedAt < f.CountedAt {
			f.CountedAt = a.Files.CountedAt
		}
		for of, counts := range a.Files.Files {
			f.Kept = f.Kept.Plus(counts)
			if of == month {
				f.Stored = f.Stored.Plus(counts)
			}
		}
	}
	return f, nil
}
