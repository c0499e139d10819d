package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// makeDistinct adds a suffix per body to ids that several bodies share, everywhere in the body, including a reply's
// context and a reaction's target. Collections reuse ids such as "wamid.x" for unrelated messages, which a system
// rightly treats as one message.
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

// replaceStrings replaces whole JSON strings and keeps every other byte, because escapes and spaces are part of what a
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
			literal, _ = json.Marshal(renamed[decoded]) // encoding a string cannot fail
		}
		out.Write(literal)
	}
	out.Write(raw)
	return out.Bytes()
}

// stringLength returns the length of the JSON string at the start of raw, including both quotes.
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
