package front

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/topology"
)

// authorize adds to the origin of a request what the authorizer of its route says of the caller. If it reports false,
// the request has been refused.
func (g *Gateway) authorize(w http.ResponseWriter, r *http.Request, from *origin) bool {
	switch from.route.For {
	case topology.Operators:
		claims, err := g.Verifier.Verify(r.Header.Get("Authorization"))
		if err != nil {
			// the path may contain numbers of customers
			g.Log.Info("token refused", "route", from.route.Method+" "+from.route.Path, "reason", err)
			w.Header().Set("Www-Authenticate", challenge(err))
			refuse(w, http.StatusUnauthorized, "Unauthorized: "+identity.Missing(err))
			return false
		}
		from.claims = claims
	case topology.Sessions:
		status := http.StatusUnauthorized
		if r.Header.Get("Authorization") != "" {
			from.session, status = g.ask(r, *from)
		}
		if status != http.StatusOK {
			refuse(w, status, http.StatusText(status))
			return false
		}
	}
	return true
}

// ask asks the function that authorizes sessions about a request, whose body it does not get. It returns what the
// function says of the caller, and the status with which API Gateway answers.
func (g *Gateway) ask(r *http.Request, from origin) (map[string]any, int) {
	whole := newEvent(r, nil, from)
	event, err := json.Marshal(events.APIGatewayV2CustomAuthorizerV2Request{
		Version: whole.Version, Type: "REQUEST",
		RouteArn: "arn:aws:execute-api:" + g.Region + ":" + accountID + ":" + apiID + "/$default/" + r.Method +
			r.URL.Path,
		IdentitySource: []string{whole.Headers["authorization"]},
		RouteKey:       whole.RouteKey, RawPath: whole.RawPath, RawQueryString: whole.RawQueryString,
		Cookies: whole.Cookies, Headers: whole.Headers, QueryStringParameters: whole.QueryStringParameters,
		RequestContext: whole.RequestContext, PathParameters: whole.PathParameters,
	})
	if err != nil {
		return nil, http.StatusInternalServerError
	}
	ctx, cancel := context.WithTimeout(r.Context(), authorizerTimeout)
	defer cancel()
	payload, err := g.Invoke(ctx, g.Authorizer, event)
	var said events.APIGatewayV2CustomAuthorizerSimpleResponse
	switch {
	case err != nil || json.Unmarshal(payload, &said) != nil:
		return nil, http.StatusInternalServerError
	case !said.IsAuthorized:
		return nil, http.StatusForbidden
	}
	return said.Context, http.StatusOK
}
