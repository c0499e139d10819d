package dynamo

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Size returns how many bytes DynamoDB counts for an item, a few more for one with numbers.
func Size(item Item) int {
	size := 0
	for name, value := range item {
		size += len(name) + valueSize(value)
	}
	return size
}

func valueSize(value AttributeValue) int {
	const frame, member, number = 3, 1, 21 // a number has at most 21 bytes
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return len(value.Value)
	case *types.AttributeValueMemberB:
		return len(value.Value)
	case *types.AttributeValueMemberN:
		return min(len(value.Value)/2+2, number)
	case *types.AttributeValueMemberL:
		size := frame
		for _, one := range value.Value {
			size += member + valueSize(one)
		}
		return size
	case *types.AttributeValueMemberM:
		return frame + len(value.Value)*member + Size(value.Value)
	}
	return 1
}
