package httpapi

// ScopePrefix is the prefix of every scope's full name: the resource server's id.
const ScopePrefix = "haatline/"

// Scope is a scope and what it allows. Each operation needs one, or one of several. The scopes of a domain stand in a
// file of its own.
type Scope struct {
	Name, Description string
	// Everyday is set if a token gets the scope without asking for it. It is not set for actions that cannot be undone,
	// and for sending or repeating things.
	Everyday bool
	// Roles are the roles that the scope is given to. Operator includes supervisor and administrator, supervisor
	// includes administrator.
	Roles []string
}

// Scopes returns all scopes of the API.
func Scopes() []Scope { return scopes }

// ScopeNames returns the names of all scopes.
func ScopeNames() []string {
	var names []string
	for _, scope := range Scopes() {
		names = append(names, scope.Name)
	}
	return names
}

// EverydayScopes returns the names of the scopes that a token gets if its request names none.
func EverydayScopes() []string {
	var names []string
	for _, scope := range Scopes() {
		if scope.Everyday {
			names = append(names, scope.Name)
		}
	}
	return names
}
