package identity

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-lambda-go/events"
)

// Trigger runs the function that a user pool asks before it makes a token.
type Trigger func(event []byte) (answer []byte, err error)

// Groups asks the function as Cognito does, in the first version of its events, which groups a token holds. An answer
// that says nothing of groups leaves them as they are.
func (t Trigger) Groups(g Grant) ([]string, error) {
	event := events.CognitoEventUserPoolsPreTokenGen{
		CognitoEventUserPoolsHeader: events.CognitoEventUserPoolsHeader{
			Version: "1", TriggerSource: "TokenGeneration_HostedAuth", Region: "local", UserPoolID: "local_pool",
			UserName:      g.Username,
			CallerContext: events.CognitoEventUserPoolsCallerContext{ClientID: Audience},
		},
		Request: events.CognitoEventUserPoolsPreTokenGenRequest{
			UserAttributes:     map[string]string{"sub": g.Subject, "cognito:user_status": "CONFIRMED"},
			GroupConfiguration: events.GroupConfiguration{GroupsToOverride: append([]string{}, g.Groups...)},
		},
	}
	asked, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	said, err := t(asked)
	if err != nil {
		return nil, fmt.Errorf("ask which groups a token holds: %w", err)
	}
	var answer events.CognitoEventUserPoolsPreTokenGen
	if err := json.Unmarshal(said, &answer); err != nil {
		return nil, fmt.Errorf("read which groups a token holds: %w", err)
	}
	if groups := answer.Response.ClaimsOverrideDetails.GroupOverrideDetails.GroupsToOverride; groups != nil {
		return groups, nil
	}
	return g.Groups, nil
}
