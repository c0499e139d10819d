package cards

import (
	"context"
	"fmt"
	"net/http"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
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

// ChangeScore sets a user's score: the entry of the history, the score and the tier change in one transaction. Its condition is the
// score that was read. A repeated request gets the first one's answer. It returns dynamo.ErrNotFound,
// ErrNoProgram and ErrMayNotDecide.
func (s *Store) ChangeScore(ctx context.Context, id model.Name, to ScoreChange, request idempotency.Request, by By) (score cardsmodel.Score, err error) {
	request = request.In(place(id))
	entryID, err := s.newID()
	if err != nil {
		return score, err
	}
	return score, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(request.Refs(), userRef(id)))
		if err != nil {
			return err
		}
		if done, err := request.Earlier(found, s.Now(), &score); done || err != nil {
			return err
		}
		user, err := userIn(found, id)
		if err != nil {
			return err
		}
		program, err := s.Program(ctx, user.TenantID)
		if err != nil {
			return err
		}
		if err := by.mayLift(user.Tier, policy.TierOf(program.Policy, policy.Score(to.Value))); err != nil {
			return err
		}
		update := s.changeUser(id)
		next, entry, err := s.score(update, user, program.Policy, entryID, to)
		if err != nil {
			return err
		}
		score = next
		remember, err := request.Answered(s.Now(), http.StatusCreated, score)
		if err != nil {
			return err
		}
		record, err := s.record(by, audit.Draft{Action: "card-user.score", Target: target(TargetUser, id), Tenant: user.TenantID, Reason: to.Reason},
			values{"score": user.CurrentScore, "tier": user.Tier}, values{"score": next.Value, "tier": policy.TierOf(program.Policy, next.Value)})
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(append(remember, record...), update.write(), entry)))
	})
}

// score has a change of a user set the score, and returns the entry of the history and its write.
func (s *Store) score(update *change, user cardsmodel.User, p cardsmodel.Policy, id model.Name, to ScoreChange) (cardsmodel.Score, dynamo.Put, error) {
	value := policy.Score(to.Value)
	entry := cardsmodel.Score{
		EcosystemID: user.EcosystemID, TimestampScoreID: keys.Joined(s.now(), string(id)), ScoreID: id,
		Value: value, PreviousValue: user.CurrentScore, Delta: value - user.CurrentScore,
		Reason: to.Reason, Source: to.Source, SourceID: to.SourceID, RelatedEntityType: to.RelatedEntityType, RelatedEntityID: to.RelatedEntityID,
		Timestamp: s.now(),
	}
	update.set("currentScore", dynamo.N(value)).set("tier", dynamo.S(policy.TierOf(p, value))).where("currentScore", dynamo.N(user.CurrentScore))
	item, err := dynamo.Marshal(entry)
	return entry, dynamo.Put{Table: tables.CardScores, Item: item, If: "attribute_not_exists(ecosystemId)"}, err
}

// Scores returns a page of a user's score history, newest first, from below an entry's timestampScoreId ("" for the newest).
func (s *Store) Scores(ctx context.Context, id model.Name, limit int, below string) ([]cardsmodel.Score, error) {
	q := dynamo.Query{
		Table: tables.CardScores, Where: "ecosystemId = :user", Values: dynamo.Item{":user": dynamo.S(id)}, Backwards: true, Limit: int32(limit),
	}
	if below != "" {
		q.Where += " AND timestampScoreId < :below"
		q.Values[":below"] = dynamo.S(below)
	}
	return list[cardsmodel.Score](ctx, s, q, "scores")
}

// list returns the items of a query as entities.
func list[T any](ctx context.Context, s *Store, q dynamo.Query, what string) ([]T, error) {
	page, err := s.DB.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return entities[T](page.Items)
}

// entities returns items as entities.
func entities[T any](items []dynamo.Item) ([]T, error) {
	all := make([]T, len(items))
	for i, item := range items {
		if err := dynamo.Unmarshal(item, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// place keeps the idempotency records of a user's requests, where the contract has them.
func place(user model.Name) idempotency.Place {
	return idempotency.Place{
		Table: tables.CardIdempotency,
		Key:   func(id model.Name) keys.Key { return keys.CardIdempotency(user, id) },
		Encode: func(r idempotency.Record) any {
			return cardsmodel.Idempotency{
				EcosystemID: user, KeyHash: r.ID, Operation: r.Operation, Response: model.Document(r.Result), StatusCode: r.StatusCode,
				CreatedAt: r.At, ExpiresAtEpochSeconds: r.ExpiresAt, RequestHash: r.RequestHash,
			}
		},
		Decode: func(item dynamo.Item) (idempotency.Record, error) {
			var stored cardsmodel.Idempotency
			err := dynamo.Unmarshal(item, &stored)
			return idempotency.Record{
				ID: stored.KeyHash, RequestHash: stored.RequestHash, Operation: stored.Operation, StatusCode: stored.StatusCode,
				Result: []byte(stored.Response), At: stored.CreatedAt, ExpiresAt: stored.ExpiresAtEpochSeconds,
			}, err
		},
	}
}
