package messages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sorting"
)

// ErrTooOld is for an instant before which a chat does not tell any more what has changed.
var ErrTooOld = problem.New("the changes since then are not kept", problem.Error{
	Class: problem.Gone, Code: "changes-too-old", Title: "Changes too old",
	Detail: "The chat tells the changes of seven days. Read its messages anew.",
})

// Changed is a message that was posted or has changed, as it is now.
type Changed struct {
	At      model.Time // of the post or the change
	Message communitymodel.Message
}

// Changes returns up to limit posts and changes of a chat after an instant, in their order, and whether there are more.
// A message that has changed several times is told several times, each time as it is now. Whoever goes on behind the
// last instant misses nothing. So it tells nothing behind what had happened when the chat was read: posts and changes
// are read one after the other, and what happens between is in one of them alone.
func (s *Messages) Changes(ctx context.Context, chat communitymodel.Chat, after model.Time, limit int) (
	all []Changed, more bool, err error) {
	ref := chat.Ref()
	if after != "" && after < model.At(s.Now().Add(-changesKept)) {
		return nil, false, ErrTooOld
	}
	posted, morePosted, err := s.List(ctx, ref, Page{After: cmp.Or(after, "0"), Limit: limit})
	if err != nil {
		return nil, false, err
	}
	changes, moreChanges, err := s.changesAfter(ctx, ref, after, limit)
	if err != nil {
		return nil, false, err
	}
	for _, m := range posted {
		all = append(all, Changed{m.CreatedAt, m})
	}
	// What lies behind the end of either list is told on the next page.
	end := chat.LastAt
	if morePosted {
		end = min(end, all[len(all)-1].At)
	}
	if moreChanges {
		end = min(end, changes[len(changes)-1].At)
	}
	all = append(all, changes...)
	read := len(all)
	all = slices.DeleteFunc(all, func(c Changed) bool { return c.At > end })
	sorting.Func(all, func(a, b Changed) int { return cmp.Compare(a.At, b.At) })
	if len(all) > limit {
		return all[:limit], true, nil
	}
	return all, len(all) < read || morePosted || moreChanges, nil
}

// changesAfter returns the changes of messages after an instant, with the messages as they are now.
func (s *Messages) changesAfter(ctx context.Context, ref communitymodel.ChatRef, after model.Time, limit int) (
	all []Changed, more bool, err error) {
	rows, err := s.DB.Query(ctx, dynamo.Query{
		Table: ref.Table(), Where: "pk = :chat AND sk BETWEEN :from AND :to",
		Values: dynamo.Item{
			":chat": dynamo.S(ref.Key().Partition), ":from": dynamo.S(keys.ChatChanges + string(after) + "~"),
			":to": dynamo.S(keys.ChatChanges + "~")},
		Limit: int32(limit + 1),
	})
	if err != nil {
		return nil, false, fmt.Errorf("changes: %w", err)
	}
	items := rows.Items
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	var refs []dynamo.Ref
	for _, row := range items {
		id := model.Name(dynamo.Text(row, "MessageId"))
		if at, err := communitymodel.Stamp(id); err == nil {
			refs = append(refs, messageRef(ref, at, id))
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, false, err
	}
	for _, row := range items {
		at := strings.Split(dynamo.Text(row, keys.SK), "#")[1]
		m, err := messageIn(found, ref, model.Name(dynamo.Text(row, "MessageId")))
		if err != nil && !isGone(err) {
			return nil, false, err
		}
		if err == nil {
			all = append(all, Changed{model.Time(at), m})
		}
	}
	return all, more && len(all) > 0, nil
}

// recent bounds how many of a chat's newest messages are searched.
const recent = 1000

// Search returns up to limit of the newest messages of a chat that hold all words of a text, in any script and
// spelling, the newest first. It reads the newest thousand messages.
func (s *Messages) Search(ctx context.Context, ref communitymodel.ChatRef, text string, limit int) (
	all []communitymodel.Message, err error) {
	words := language.Words(text)
	if len(words) == 0 {
		return nil, communitymodel.Wrong("query.text", "holds no word")
	}
	before := model.Time("")
	for read := 0; read < recent && len(all) < limit; {
		page, more, err := s.List(ctx, ref, Page{Before: before, Limit: 100})
		if err != nil {
			return nil, err
		}
		read += len(page)
		for _, m := range slices.Backward(page) {
			has := language.Words(m.Content)
			missing := func(word string) bool { return !slices.Contains(has, word) }
			if !m.Gone() && !slices.ContainsFunc(words, missing) && len(all) < limit {
				all = append(all, m)
			}
		}
		if !more {
			break
		}
		before = page[0].CreatedAt
	}
	return all, nil
}
