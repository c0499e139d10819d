package cost

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// ofItem is what DynamoDB adds to the bytes of an item where it charges for storage, in a table and in each index.
const ofItem = 100

// stored returns the bytes in tables, each with its indexes.
func (s *system) stored(used []tables.Table) map[string]int {
	bytes := map[string]int{}
	for _, table := range used {
		items := s.db.Items(s.t, table)
		for _, index := range table.Global {
			items = append(items, s.db.Index(s.t, table, index.Name)...)
		}
		for _, item := range items {
			bytes[table.Name(tables.Dev)] += dynamo.Size(item) + ofItem
		}
	}
	return bytes
}

// storedLines says what a flow leaves in tables.
func storedLines(before, after map[string]int) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if bytes := after[name] - before[name]; bytes != 0 {
			fmt.Fprintf(&text, "    store %6d  %s\n", bytes, name)
		}
	}
	return text.String()
}
