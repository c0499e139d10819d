package conversations

import (
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
)

// imageOf returns an item as a stream shows it.
func imageOf(item dynamo.Item) map[string]events.DynamoDBAttributeValue {
	image := make(map[string]events.DynamoDBAttributeValue, len(item))
	for name, value := range item {
		image[name] = streamValue(value)
	}
	return image
}

func streamValue(value types.AttributeValue) events.DynamoDBAttributeValue {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return events.NewStringAttribute(v.Value)
	case *types.AttributeValueMemberN:
		return events.NewNumberAttribute(v.Value)
	case *types.AttributeValueMemberBOOL:
		return events.NewBooleanAttribute(v.Value)
	case *types.AttributeValueMemberL:
		list := make([]events.DynamoDBAttributeValue, len(v.Value))
		for i, element := range v.Value {
			list[i] = streamValue(element)
		}
		return events.NewListAttribute(list)
	case *types.AttributeValueMemberM:
		return events.NewMapAttribute(imageOf(v.Value))
	}
	return events.NewNullAttribute()
}
