package dynamo

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithyendpoints "github.com/aws/smithy-go/endpoints"
)

// endpoints resolves the endpoint of calls once for an account. The SDK evaluates its rules at each call, which takes
// a twelfth of the processor time of a relay.
type endpoints struct {
	of   dynamodb.EndpointResolverV2
	last atomic.Pointer[resolved]
}

type resolved struct {
	account  string // of the credentials; "" if they name none
	endpoint smithyendpoints.Endpoint
}

// keepEndpoint has a client resolve its endpoint once. Apart from the account, the options decide the endpoint.
func keepEndpoint(options *dynamodb.Options) {
	options.EndpointResolverV2 = &endpoints{of: dynamodb.NewDefaultEndpointResolverV2()}
}

func (e *endpoints) ResolveEndpoint(ctx context.Context, p dynamodb.EndpointParameters) (
	smithyendpoints.Endpoint, error) {
	if namesAccount(p) {
		return e.of.ResolveEndpoint(ctx, p)
	}
	account := aws.ToString(p.AccountId)
	if known := e.last.Load(); known != nil && known.account == account {
		return known.endpoint, nil
	}
	endpoint, err := e.of.ResolveEndpoint(ctx, p)
	if err == nil {
		e.last.Store(&resolved{account, endpoint})
	}
	return endpoint, err
}

// namesAccount reports whether a call names a table by its ARN, so that the endpoint may be that of another account.
func namesAccount(p dynamodb.EndpointParameters) bool {
	isARN := func(table string) bool { return strings.HasPrefix(table, "arn:") }
	return isARN(aws.ToString(p.ResourceArn)) || slices.ContainsFunc(p.ResourceArnList, isARN)
}
