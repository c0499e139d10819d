package stream_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/stream"
)

func TestAnItemComesBackFromItsImage(t *testing.T) {
	item := dynamo.Item{
		"s": dynamo.S("text"), "n": dynamo.N(7), "bool": &types.AttributeValueMemberBOOL{Value: true},
		"b": &types.AttributeValueMemberB{Value: []byte{1}}, "null": &types.AttributeValueMemberNULL{Value: true},
		"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{
			&types.AttributeValueMemberM{Value: dynamo.Item{"inner": dynamo.S("text")}},
		}},
		"ss": &types.AttributeValueMemberSS{Value: []string{"a"}},
		"ns": &types.AttributeValueMemberNS{Value: []string{"1"}},
		"bs": &types.AttributeValueMemberBS{Value: [][]byte{{2}}},
	}
	exported := cmpopts.IgnoreUnexported(
		types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberBOOL{},
		types.AttributeValueMemberB{},
		types.AttributeValueMemberNULL{}, types.AttributeValueMemberL{}, types.AttributeValueMemberM{},
		types.AttributeValueMemberSS{},
		types.AttributeValueMemberNS{}, types.AttributeValueMemberBS{},
	)
	if got := stream.Item(stream.Image(item)); !cmp.Equal(got, item, exported) {
		t.Error(cmp.Diff(item, got, exported))
	}
}
