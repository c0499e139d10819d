package stream

import (
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
)

// Item converts a stream image to an item.
func Item(image map[string]events.DynamoDBAttributeValue) dynamo.Item {
	item := make(dynamo.Item, len(image))
	for name, value := range image {
		item[name] = attributeValue(value)
	}
	return item
}

func attributeValue(v events.DynamoDBAttributeValue) types.AttributeValue {
	switch v.DataType() {
	case events.DataTypeString:
		return &types.AttributeValueMemberS{Value: v.String()}
	case events.DataTypeNumber:
		return &types.AttributeValueMemberN{Value: v.Number()}
	case events.DataTypeBoolean:
		return &types.AttributeValueMemberBOOL{Value: v.Boolean()}
	case events.DataTypeBinary:
		return &types.AttributeValueMemberB{Value: v.Binary()}
	case events.DataTypeList:
		list := make([]types.AttributeValue, len(v.List()))
		for i, element := range v.List() {
			list[i] = attributeValue(element)
		}
		return &types.AttributeValueMemberL{Value: list}
	case events.DataTypeMap:
		return &types.AttributeValueMemberM{Value: Item(v.Map())}
	case events.DataTypeStringSet:
		return &types.AttributeValueMemberSS{Value: v.StringSet()}
	case events.DataTypeNumberSet:
		return &types.AttributeValueMemberNS{Value: v.NumberSet()}
	case events.DataTypeBinarySet:
		return &types.AttributeValueMemberBS{Value: v.BinarySet()}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

// Image converts an item to an image, as a stream shows it. It is the opposite of Item.
func Image(item dynamo.Item) map[string]events.DynamoDBAttributeValue {
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
	case *types.AttributeValueMemberB:
		return events.NewBinaryAttribute(v.Value)
	case *types.AttributeValueMemberL:
		list := make([]events.DynamoDBAttributeValue, len(v.Value))
		for i, element := range v.Value {
			list[i] = streamValue(element)
		}
		return events.NewListAttribute(list)
	case *types.AttributeValueMemberM:
		return events.NewMapAttribute(Image(v.Value))
	case *types.AttributeValueMemberSS:
		return events.NewStringSetAttribute(v.Value)
	case *types.AttributeValueMemberNS:
		return events.NewNumberSetAttribute(v.Value)
	case *types.AttributeValueMemberBS:
		return events.NewBinarySetAttribute(v.Value)
	}
	return events.NewNullAttribute()
}
