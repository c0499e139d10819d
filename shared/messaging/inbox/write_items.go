package inbox

import (
	"reflect"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// replaceItem returns the update from one state of an item to another, without a condition. It sets the item's type in
// any case, because an update must set something.
func replaceItem(key keys.Key, read, next any) (dynamo.Update, error) {
	before, err := dynamo.Marshal(read)
	if err != nil {
		return dynamo.Update{}, err
	}
	after, err := dynamo.Marshal(next)
	if err != nil {
		return dynamo.Update{}, err
	}
	delete(after, "pk")
	changed, gone := dynamo.Item{}, []string(nil)
	for name, value := range after {
		if name == "itemType" || !reflect.DeepEqual(value, before[name]) {
			changed[name] = value
		}
	}
	for name := range before {
		if _, stays := after[name]; !stays && name != "pk" {
			gone = append(gone, "#"+name)
		}
	}
	u, do := setAll(key, changed, nil)
	do.Remove = gone
	u.Do = do.String()
	return u, nil
}

// setAll returns the clauses that set every attribute of an item, and an update with their values. It sets the
// attributes named in keep only if they are absent.
func setAll(key keys.Key, item dynamo.Item, keep map[string]bool) (dynamo.Update, dynamo.Do) {
	u, do := dynamo.Update{Table: tables.Messages, Key: key, Values: dynamo.Item{}}, dynamo.Do{}
	for name, value := range item {
		if keep[name] {
			do.Set = append(do.Set, "#"+name+" = if_not_exists(#"+name+", :"+name+")")
		} else {
			do.Set = append(do.Set, "#"+name+" = :"+name)
		}
		u.Values[":"+name] = value
	}
	return u, do
}

// JoinWrite returns the write that stores a message under its id and keeps a delivery state that an early status has
// stored there. The condition is that there is neither a message nor a tombstone yet.
func JoinWrite(m model.Message) (dynamo.Update, error) {
	item, err := dynamo.Marshal(m)
	if err != nil {
		return dynamo.Update{}, err
	}
	delete(item, "pk")
	u, do := setAll(keys.ByPK(m.PK), item, map[string]bool{
		"deliveryStatus": true, "deliveryRank": true, "deliveryStatusHistory": true,
	})
	do.Remove = []string{"#ttl"} // of an orphan status
	u.Do = do.String()
	u.If = model.NoMessage + " AND attribute_not_exists(waMessageId) AND attribute_not_exists(erasedAt)"
	return u, nil
}

// joinChanged is JoinWrite for a message for which changes may wait. One more condition is that they are those of
// a.waited.
func joinChanged(a decodedMessage) (dynamo.Update, error) {
	u, err := JoinWrite(a.message)
	if err != nil {
		return u, err
	}
	waited, err := dynamo.Marshal(a.waited)
	if err != nil {
		return u, err
	}
	for _, name := range []string{"versions", "reactions"} {
		u.If = dynamo.And(u.If, dynamo.Same(name, waited[name], u.Values))
	}
	return u, nil
}
