package model

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Rest holds the attributes of a stored item that this release does not know, because a later one has written them. An
// item that is always written whole embeds it, so that a release that is rolled back to loses nothing.
type Rest struct {
	Unknown map[string]types.AttributeValue `dynamodbav:"-" json:"-"`
}

// Others returns what Rest holds, to read it and to set it.
func (r *Rest) Others() *map[string]types.AttributeValue { return &r.Unknown }
