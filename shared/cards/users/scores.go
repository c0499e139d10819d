package users

import (
	"context"
	"fmt"
	"net/http"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// ScoreChange is a new score, and why.
type ScoreChange struct {
	Value             int // within the range of scores
	Reason            string
	Source            cardsmodel.ScoreSource
	SourceID          string // "" for none
	RelatedEntityType string // "" for none
	RelatedEntityID   string
}

// ChangeScore sets a user's score: the entry of the history, the score and the tier change in one transaction. Its
// condition is the score that was read. A repeated request gets the first one's answer. It returns dynamo.ErrNotFound,
// programs.ErrNone and ErrMayNotDecide.
func (s *Users) ChangeScore(ctx context.Context, id model.Name, to ScoreChange, request idempotency.Request,
	by changes.By) (score cardsmodel.Score, err error) {
	request = request.In(Place(id))
	entryID, err := model.Parse[model.Name](s.NewID())
	if err != nil {
		return score, err
	}
	return score, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(request.Refs(), Ref(id)))
		if err != nil {
			return err
		}
		if done, err := request.Earlier(found, s.Now(), &score); done || err != nil {
			return err
		}
		user, err := In(found, id)
		if err != nil {
			return err
		}
		program, err := s.Programs.Get(ctx, user.TenantID)
		if err != nil {
			return err
		}
		if err := mayLift(by, user.Tier, policy.TierOf(program.Policy, policy.Score(to.Value))); err != nil {
			return err
		}
		update := Change(id, s.now())
		next, entry, err := SetScore(update, s.now(), user, program.Policy, entryID, to)
		if err != nil {
			return err
		}
		score = next
		remember, err := request.Answered(s.Now(), http.StatusCreated, score)
		if err != nil {
			return err
		}
		record, err := by.Record(s.Audit,
			audit.Draft{
				Action: "card-user.score", Target: changes.Target(changes.TargetUser, id), Tenant: user.TenantID,
				Reason: to.Reason},
			changes.Values{"score": user.CurrentScore, "tier": user.Tier},
			changes.Values{"score": next.Value, "tier": policy.TierOf(program.Policy, next.Value)})
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(append(remember, record...), update.Write(), entry)))
	})
}

// SetScore has a change of a user set the score, and returns the entry of the history and its write.
func SetScore(update *changes.Change, now model.Time, user cardsmodel.User, p cardsmodel.Policy, id model.Name,
	to ScoreChange) (cardsmodel.Score, dynamo.Put, error) {
	value := policy.Score(to.Value)
	entry := cardsmodel.Score{
		EcosystemID: user.EcosystemID, TimestampScoreID: keys.Joined(now, string(id)), ScoreID: id,
		Value: value, PreviousValue: user.CurrentScore, Delta: value - user.CurrentScore,
		Reason: to.Reason, Source: to.Source, SourceID: to.SourceID, RelatedEntityType: to.RelatedEntityType,
		RelatedEntityID: to.RelatedEntityID,
		Timestamp:       now,
	}
	update.Set("currentScore", dynamo.N(value)).Set("tier", dynamo.S(policy.TierOf(p, value))).Where("currentScore",
		dynamo.N(user.CurrentScore))
	item, err := dynamo.Marshal(entry)
	return entry, dynamo.Put{Table: tables.CardScores, Item: item, If: "attribute_not_exists(ecosystemId)"}, err
}

// Scores returns a page of a user's score history, newest first, from below an entry's timestampScoreId ("" for the
// newest).
func (s *Users) Scores(ctx context.Context, id model.Name, limit int, below string) ([]cardsmodel.Score, error) {
	q := dynamo.Query{
		Table: tables.CardScores, Where: "ecosystemId = :user", Values: dynamo.Item{":user": dynamo.S(id)},
		Backwards: true, Limit: int32(limit),
	}
	if below != "" {
		q.Where += " AND timestampScoreId < :below"
		q.Values[":below"] = dynamo.S(below)
	}
	all, _, err := dynamo.PageOf[cardsmodel.Score](ctx, s.DB, q)
	if err != nil {
		return nil, fmt.Errorf("scores: %w", err)
	}
	return all, nil
}
