package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// makeDistinct gives the ids that several bodies share a suffix for each body, wherever the body names them: in a reply's
// context or a reaction's target as well as in the message or status itself. Collections name unrelated messages alike
// ("wamid.x"), and a system rightly takes them for one.
func makeDistinct(bodies []body) {
	holders := map[string]int{}
	for _, b := range bodies {
		for _, id := range b.ids {
			holders[id]++
		}
	}
	for i := range bodies {
		b := &bodies[i]
		renamed := map[string]string{}
		for j, id := range b.ids {
			if holders[id] > 1 {
				renamed[id] = fmt.Sprintf("%s.%d", id, i+1)
				b.ids[j] = renamed[id]
			}
		}
		b.raw = replaceStrings(b.raw, renamed)
	}
}

// replaceStrings replaces whole JSON strings and leaves every other byte as it is: escapes and spaces are part of what a
// corpus tests.
func replaceStrings(raw []byte, renamed map[string]string) []byte {
	if len(renamed) == 0 {
		return raw
	}
	var out bytes.Buffer
	for len(raw) > 0 {
		begin := bytes.IndexByte(raw, '"')
		if begin < 0 {
			break
		}
		length := stringLength(raw[begin:])
		literal := raw[begin : begin+length]
		out.Write(raw[:begin])
		raw = raw[begin+length:]
		var decoded string
		if json.Unmarshal(literal, &decoded) == nil && renamed[decoded] != "" {
			literal, _ = json.Marshal(renamed[decoded]) // a string always encodes
		}
		out.Write(literal)
	}
	out.Write(raw)
	return out.Bytes()
}

// stringLength is the length of the JSON string at the start of raw, both quotes included.
func stringLength(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
