package messagingapi

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/model"
)

// hinting has open pages told of what a caller has changed in a conversation.
func (o *service) hinting(ctx huma.Context, next func(huma.Context)) {
	next(ctx)
	id := ctx.Param("conversationId")
	changes := ctx.Method() != http.MethodGet && ctx.Operation().OperationID != setPresence
	if id == "" || !changes || ctx.Status() >= http.StatusBadRequest {
		return
	}
	phone, customer, _ := strings.Cut(id, ":")
	o.rooms.Hints.Tell(ctx.Context(), model.PhoneNumberID(phone), model.CustomerID(customer))
}
