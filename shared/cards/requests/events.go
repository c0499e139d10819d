package requests

import (
	"context"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
)

// EventDecided is the kind of the events of decisions.
const EventDecided = "card_request.decided"

// Events are the kinds of events that are published of requests for cards.
var Events = []publishing.Kind{
	{Name: EventDecided, Means: "A request for a card was approved or rejected, or nobody has answered it in time."},
}

// publish returns the writes that publish a decision; none where nobody outside is told.
func (s *Requests) publish(ctx context.Context, program cardsmodel.Program,
	request cardsmodel.Request) ([]dynamo.Write, error) {
	if s.Publisher == nil || !program.Subscribed {
		return nil, nil
	}
	by := ""
	if request.Decision != nil {
		by = request.Decision.By
	}
	write, err := s.Publisher.Write(ctx, publishing.Event{
		Tenant: request.TenantID, Kind: EventDecided, At: s.now(), Of: string(request.RequestID),
		Data: struct {
			UserID    model.Name               `json:"userId"`
			RequestID model.Name               `json:"requestId"`
			Status    cardsmodel.RequestStatus `json:"status"`
			By        string                   `json:"by"` // admin, or system where nobody has answered in time
		}{model.Name(request.EcosystemID), request.RequestID, request.Status, by},
	})
	return []dynamo.Write{write}, err
}
