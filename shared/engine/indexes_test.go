package engine

import (
	"errors"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/tables"
)

// Data of an earlier version is kept, and the indexes of this version are added and filled.
func TestATableOfAnEarlierVersionGetsTheIndexesItLacks(t *testing.T) {
	client := startForTest(t)
	earlier := tables.Messages
	earlier.Global = earlier.Global[:2]
	if err := CreateTables(t.Context(), client, []tables.Table{earlier}, tables.Dev); err != nil {
		t.Fatal(err)
	}
	last := tables.Messages.Global[len(tables.Messages.Global)-1]
	item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "WEBHOOK#1"}}
	for _, key := range []string{last.Partition.Name, last.Sort.Name} {
		item[key] = &types.AttributeValueMemberS{Value: "x"}
	}
	name := aws.String(earlier.Name(tables.Dev))
	if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: name, Item: item}); err != nil {
		t.Fatal(err)
	}
	if err := CreateTables(t.Context(), client, []tables.Table{tables.Messages}, tables.Dev); err != nil {
		t.Fatal(err)
	}
	for _, index := range tables.Messages.Global {
		found, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: name, IndexName: aws.String(index.Name)})
		if err != nil {
			t.Errorf("%s: %v", index.Name, err)
		} else if index.Name == last.Name && len(found.Items) != 1 {
			t.Errorf("%s holds %d items", index.Name, len(found.Items))
		}
	}
}

// loses is a client of HTTP that loses the answer of the first request, and does not send the second.
type loses struct{ requests int }

func (l *loses) Do(r *http.Request) (*http.Response, error) {
	l.requests++
	switch l.requests {
	case 1:
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
		}
		return nil, errors.New("broken pipe")
	case 2:
		return nil, errors.New("broken pipe")
	}
	return http.DefaultClient.Do(r)
}

// A busy engine closes connections. A table that a lost try has made gets its expiry as well.
func TestATableIsAskedForAgainIfNobodyAnswers(t *testing.T) {
	options := startForTest(t).Options()
	options.HTTPClient = &loses{}
	client := dynamodb.New(options)
	if err := CreateTables(t.Context(), client, []tables.Table{tables.Messages}, tables.Dev); err != nil {
		t.Fatal(err)
	}
	found, err := client.DescribeTimeToLive(t.Context(),
		&dynamodb.DescribeTimeToLiveInput{TableName: aws.String(tables.Messages.Name(tables.Dev))})
	if err != nil || aws.ToString(found.TimeToLiveDescription.AttributeName) != tables.Messages.TTL {
		t.Errorf("%+v, %v", found, err)
	}
}
