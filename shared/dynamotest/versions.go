package dynamotest

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
)

// version names what an item, a partition or a table holds. The zero version is what it held at the beginning.
//
// The version of an item is a hash of the write that made it and of the versions of everything that this write touched.
// What has the same version after two histories holds the same: writes to other items, and the order of writes that do
// not touch the same, make no difference.
type version [sha256.Size]byte

// versions are those of all tables.
type versions struct {
	begin      version           // what the tables held at the beginning
	items      map[touch]version // those that were written to since
	partitions map[touch]version // sums of the versions of their items
	tables     map[string]version
}

// summary is what has to be known of tables to tell whether they hold the same.
type summary struct {
	begin  version
	tables map[string]version
}

// held names what a table holds.
type held struct {
	table      string
	begin, sum version
}

func newVersions() versions {
	return versions{items: map[touch]version{}, partitions: map[touch]version{}, tables: map[string]version{}}
}

func (v *versions) summary() summary { return summary{v.begin, maps.Clone(v.tables)} }

// untouched reports whether the tables hold what they did at the beginning.
func (s summary) untouched() bool { return s.begin == version{} && len(s.tables) == 0 }

func (v *versions) holds(table string) held { return held{table, v.begin, v.tables[table]} }

// question names a call, and what the answer to it depends on.
func (v *versions) question(target string, body []byte, touched footprint) version {
	parts := make([]string, len(touched))
	for i, t := range touched {
		now := v.of(t)
		parts[i] = t.name() + string(now[:])
	}
	slices.Sort(parts)
	return digest(string(v.begin[:]), target, string(body), strings.Join(parts, ""))
}

// of returns the version of what a call touches: of an item, or of all of a partition or of a table.
func (v *versions) of(t touch) version {
	t.write = false
	switch {
	case t.partition == "":
		return v.tables[t.table]
	case t.sort == "":
		return v.partitions[t]
	}
	return v.items[t]
}

// write notes a write, made is the version of what it wrote.
func (v *versions) write(touched footprint, made version) {
	for _, t := range touched {
		if !t.write {
			continue
		}
		if t.partition == "" { // a call that is not understood
			*v = newVersions()
			v.begin = made
			return
		}
		t.write = false
		partition := touch{table: t.table, partition: t.partition}
		change := digest(t.name(), string(made[:]))
		if before, was := v.items[t]; was {
			change = change.xor(digest(t.name(), string(before[:])))
		}
		v.items[t] = made
		v.partitions[partition] = v.partitions[partition].xor(change)
		v.tables[t.table] = v.tables[t.table].xor(change)
	}
}

// name is the touched thing as text, which is not the beginning of any other's.
func (t touch) name() string {
	return strings.Join([]string{t.table, t.partition, t.sort, ""}, "\x00")
}

// xor makes the versions of many things one, in whatever order they come.
func (v version) xor(w version) version {
	for i := range v {
		v[i] ^= w[i]
	}
	return v
}

func digest(parts ...string) version { return sha256.Sum256([]byte(strings.Join(parts, "\x00"))) }
