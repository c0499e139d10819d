// Package keys owns the form of every key: the parts before, between and after the ids. Key functions take typed ids,
// which cannot contain a #, so two items of different kinds or ids never share a key. It does no I/O.
package keys

import "strings"

// Key is the primary key of one item: the key attributes' names and values. Without a sort key the second pair is
// empty.
type Key struct {
	PartitionName, Partition string
	SortName, Sort           string
}

// Whole reports whether a key has all its ids: no part of it is empty.
func (k Key) Whole() bool { return Whole(k.Partition) && (k.SortName == "" || Whole(k.Sort)) }

// Whole reports whether no part of a partition or a sort key is empty.
func Whole(text string) bool {
	return text != "" && text[0] != '#' && text[len(text)-1] != '#' && !strings.Contains(text, "##")
}

// PK names the partition key of the messages table.
const PK = "pk"

// ByPK returns the key of an item of the messages table whose pk is known, for example from a row of an index.
func ByPK(pk string) Key { return Key{PartitionName: PK, Partition: pk} }

// Pattern is the form of an item type's key: its parts between the #, with a placeholder in braces for each id.
type Pattern struct {
	ItemType string
	Parts    []string
}

// String returns the pattern as the contracts write it: CONV#{phoneArnSuffix}#{customerWaId}.
func (p Pattern) String() string { return strings.Join(p.Parts, "#") }

// with replaces the placeholders by ids, in order.
func (p Pattern) with(ids ...string) string {
	parts := make([]string, len(p.Parts))
	for i, part := range p.Parts {
		if part[0] == '{' {
			part, ids = ids[0], ids[1:]
		}
		parts[i] = part
	}
	return strings.Join(parts, "#")
}

// ids is the reverse of with: it returns the texts at the placeholders, and reports whether the text has this form. No
// id is empty.
func (p Pattern) ids(text string) ([]string, bool) {
	parts := strings.Split(text, "#")
	if len(parts) != len(p.Parts) {
		return nil, false
	}
	var ids []string
	for i, part := range p.Parts {
		switch {
		case part[0] == '{' && parts[i] != "":
			ids = append(ids, parts[i])
		case part != parts[i]:
			return nil, false
		}
	}
	return ids, true
}
