package dynamo

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithyendpoints "github.com/aws/smithy-go/endpoints"
)

// counted counts how often an endpoint is resolved.
type counted struct {
	dynamodb.EndpointResolverV2
	times int
}

func (c *counted) ResolveEndpoint(ctx context.Context, p dynamodb.EndpointParameters) (
	smithyendpoints.Endpoint, error) {
	c.times++
	return c.EndpointResolverV2.ResolveEndpoint(ctx, p)
}

func TestAnEndpointIsResolvedOnceForAnAccount(t *testing.T) {
	of := &counted{EndpointResolverV2: dynamodb.NewDefaultEndpointResolverV2()}
	e := &endpoints{of: of}
	resolve := func(account, table string) string {
		t.Helper()
		endpoint, err := e.ResolveEndpoint(t.Context(), dynamodb.EndpointParameters{
			Region: aws.String("ap-south-1"), AccountId: aws.String(account), ResourceArn: aws.String(table),
			AccountIdEndpointMode: aws.String("preferred"), UseDualStack: aws.Bool(false), UseFIPS: aws.Bool(false)})
		if err != nil {
			t.Fatal(err)
		}
		return endpoint.URI.String()
	}
	const one, other = "https://111111111111.ddb.ap-south-1.amazonaws.com",
		"https://222222222222.ddb.ap-south-1.amazonaws.com"
	const elsewhere = "arn:aws:dynamodb:ap-south-1:222222222222:table/orders"
	for _, c := range []struct {
		account, table, want string
		times                int // so far
	}{
		{"111111111111", "orders", one, 1},
		{"111111111111", "khata", one, 1},
		{"111111111111", elsewhere, other, 2}, // whose table it is, counts
		{"111111111111", "orders", one, 2},
		{"222222222222", "orders", other, 3}, // the credentials are of another account now
		{"222222222222", "orders", other, 3},
	} {
		if got := resolve(c.account, c.table); got != c.want || of.times != c.times {
			t.Errorf("account %s, table %s: %s, resolved %d times; want %s and %d",
				c.account, c.table, got, of.times, c.want, c.times)
		}
	}
}
