package front

import (
	"cmp"
	"slices"
	"strings"
)

// match selects the most specific route for a request: fixed segments before variables, variables before a greedy one,
// a method before ANY. The parameters are nil if the route has none.
func match(routes []Route, method, path string) (Route, map[string]string, bool) {
	type candidate struct {
		route      Route
		parameters map[string]string
	}
	var candidates []candidate
	for _, route := range routes {
		if route.Method != "ANY" && route.Method != method {
			continue
		}
		if parameters, ok := matchPath(route.Path, path); ok {
			candidates = append(candidates, candidate{route, parameters})
		}
	}
	if len(candidates) == 0 {
		return Route{}, nil, false
	}
	best := slices.MinFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(shape(a.route.Path), shape(b.route.Path)),
			cmp.Compare(generality(a.route.Method), generality(b.route.Method)))
	})
	return best.route, best.parameters, true
}

func generality(method string) int {
	if method == "ANY" {
		return 1
	}
	return 0
}

// shape returns a sort key for patterns: at the first segment in which two differ, fixed < variable < greedy.
func shape(pattern string) string {
	var b strings.Builder
	for segment := range strings.SplitSeq(strings.Trim(pattern, "/"), "/") {
		switch {
		case strings.HasSuffix(segment, "+}"):
			b.WriteByte('2')
		case strings.HasPrefix(segment, "{"):
			b.WriteByte('1')
		default:
			b.WriteByte('0')
		}
	}
	return b.String()
}

func matchPath(pattern, path string) (map[string]string, bool) {
	segments := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	rest := strings.TrimPrefix(path, "/")
	var parameters map[string]string
	for i, segment := range segments {
		name, variable := strings.CutPrefix(segment, "{")
		if variable && parameters == nil {
			parameters = map[string]string{}
		}
		if greedy, ok := strings.CutSuffix(name, "+}"); variable && ok {
			parameters[greedy] = rest
			return parameters, rest != ""
		}
		value, remainder, more := strings.Cut(rest, "/")
		if more == (i == len(segments)-1) {
			return nil, false // path and pattern have different lengths
		}
		if variable {
			parameters[strings.TrimSuffix(name, "}")] = value
		}
		if variable && value == "" || !variable && value != segment {
			return nil, false
		}
		rest = remainder
	}
	return parameters, true
}
