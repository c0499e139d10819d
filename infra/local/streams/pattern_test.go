package streams

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/topology"
)

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		name, pattern, record string
		want                  bool
	}{
		{"an exact string", `{"a":["x"]}`, `{"a":"x"}`, true},
		{"another string", `{"a":["x"]}`, `{"a":"X"}`, false},
		{"one of several", `{"a":["x","y"]}`, `{"a":"y"}`, true},
		{"every field must match", `{"a":["x"],"b":["y"]}`, `{"a":"x","b":"z"}`, false},
		{"a field that is absent", `{"a":["x"]}`, `{"b":"x"}`, false},
		{"the empty string", `{"a":[""]}`, `{"a":""}`, true},
		{"nested fields", `{"a":{"b":["x"]}}`, `{"a":{"b":"x","c":"y"}}`, true},
		{"a leaf where an object is asked", `{"a":{"b":["x"]}}`, `{"a":"x"}`, false},
		{"an object where a leaf is asked", `{"a":["x"]}`, `{"a":{"S":"x"}}`, false},
		{"an element of a list", `{"a":["x"]}`, `{"a":["y","x"]}`, true},
		{"no element of a list", `{"a":["x"]}`, `{"a":["y","z"]}`, false},
		{"a number by its value", `{"a":[1.0]}`, `{"a":1}`, true},
		{"a number is no string", `{"a":[1]}`, `{"a":"1"}`, false},
		{"true", `{"a":[true]}`, `{"a":true}`, true},
		{"null", `{"a":[null]}`, `{"a":null}`, true},
		{"null is not absent", `{"a":[null]}`, `{}`, false},
		{"null is not empty", `{"a":[null]}`, `{"a":""}`, false},

		{"prefix", `{"a":[{"prefix":"MSG#"}]}`, `{"a":"MSG#1"}`, true},
		{"another prefix", `{"a":[{"prefix":"MSG#"}]}`, `{"a":"msg#1"}`, false},
		{"prefix of nothing", `{"a":[{"prefix":"M"}]}`, `{}`, false},

		{"anything but, another", `{"a":[{"anything-but":["x"]}]}`, `{"a":"y"}`, true},
		{"anything but, that one", `{"a":[{"anything-but":["x","y"]}]}`, `{"a":"y"}`, false},
		{"anything but a single string", `{"a":[{"anything-but":"x"}]}`, `{"a":"x"}`, false},
		{"anything but a number", `{"a":[{"anything-but":[1]}]}`, `{"a":1}`, false},
		{"anything but a prefix", `{"a":[{"anything-but":{"prefix":"x"}}]}`, `{"a":"xy"}`, false},
		{"anything but asks for a value", `{"a":[{"anything-but":["x"]}]}`, `{}`, false},

		{"exists", `{"a":[{"exists":true}]}`, `{"a":"x"}`, true},
		{"exists, absent", `{"a":[{"exists":true}]}`, `{}`, false},
		{"null exists", `{"a":[{"exists":true}]}`, `{"a":null}`, true},
		{"absent", `{"a":[{"exists":false}]}`, `{}`, true},
		{"not absent", `{"a":[{"exists":false}]}`, `{"a":"x"}`, false},
		{"absent with its parent", `{"a":{"S":[{"exists":false}]}}`, `{}`, true},
		{"absent or a value", `{"a":[{"exists":false},"x"]}`, `{"a":"x"}`, true},

		{"numeric", `{"a":[{"numeric":["=",5]}]}`, `{"a":5.0}`, true},
		{"numeric range", `{"a":[{"numeric":[">",0,"<=",5]}]}`, `{"a":5}`, true},
		{"outside of the range", `{"a":[{"numeric":[">",0,"<=",5]}]}`, `{"a":5.1}`, false},
		{"a string is no number", `{"a":[{"numeric":[">",0]}]}`, `{"a":"5"}`, false},
		{"nothing is no number", `{"a":[{"numeric":["<",1]}]}`, `{}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			pattern, err := ParsePattern(test.pattern)
			if err != nil {
				t.Fatal(err)
			}
			decoder := json.NewDecoder(strings.NewReader(test.record))
			decoder.UseNumber()
			var record map[string]any
			if err := decoder.Decode(&record); err != nil {
				t.Fatal(err)
			}
			if got := pattern.Matches(record); got != test.want {
				t.Errorf("%s on %s: %v", test.pattern, test.record, got)
			}
		})
	}
}

func TestAPatternThatIsNotUnderstoodIsAnError(t *testing.T) {
	for _, pattern := range []string{
		``, `[]`, `"x"`, `{}`, `{"a":{}}`, `{"a":[]}`, `{"a":"x"}`, `{"a":[["x"]]}`,
		`{"a":[{"suffix":"x"}]}`, `{"a":[{"cidr":"10.0.0.0/8"}]}`, `{"a":[{"wildcard":"x*"}]}`, `{"$or":[{"a":["x"]}]}`,
		`{"a":[{"prefix":1}]}`, `{"a":[{"exists":"yes"}]}`, `{"a":[{"anything-but":[]}]}`,
		`{"a":[{"anything-but":[null]}]}`,
		`{"a":[{"anything-but":{"suffix":"x"}}]}`, `{"a":[{"numeric":["<"]}]}`, `{"a":[{"numeric":["~",1]}]}`,
		`{"a":[{"numeric":["<","1"]}]}`,
		`{"a":[{"prefix":"x","exists":true}]}`,
	} {
		if _, err := ParsePattern(pattern); err == nil {
			t.Errorf("%s is accepted", pattern)
		}
	}
}

func TestEveryFilterOfTheTopologyIsUnderstood(t *testing.T) {
	for _, function := range topology.Functions {
		for _, source := range function.Streams {
			for _, filter := range source.Filters {
				if _, err := ParsePattern(filter); err != nil {
					t.Errorf("function %s: %v", function.Name, err)
				}
			}
		}
	}
}
