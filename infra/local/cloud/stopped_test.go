package cloud

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/tables"
)

func TestANumberThatIsStoppedIsSaidUntilWhenAndWhy(t *testing.T) {
	c := startCloud(t, testConfig(t, t.TempDir()))
	for _, stop := range []struct {
		in    time.Duration
		lines int
	}{{-time.Minute, 0}, {time.Hour, 1}} {
		_, err := engine.Client(c.endpoint).PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String(tables.OutboxSequences.Name(stage)), Item: map[string]types.AttributeValue{
				"sequenceId": &types.AttributeValueMemberS{
					Value: keys.OutboxSequenceID(sending.SenderGroup(demoPhoneID))},
				"stoppedTo":  &types.AttributeValueMemberN{Value: fmt.Sprint(time.Now().Add(stop.in).UnixMilli())},
				"stopReason": &types.AttributeValueMemberS{Value: "190 The access token has expired"},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines, err := c.Stopped(t.Context())
		if err != nil || len(lines) != stop.lines ||
			stop.lines > 0 &&
				!(strings.Contains(lines[0], demoPhoneID+" sends nothing until ") &&
					strings.Contains(lines[0],
						": 190 The access token has expired; POST /v1/numbers/"+demoPhoneID+"/resume")) {
			t.Errorf("%q, %v", lines, err)
		}
	}
}
