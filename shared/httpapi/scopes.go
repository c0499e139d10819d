package httpapi

import (
	"slices"
	"strings"
)

// ScopePrefix is the prefix of every scope's full name: the resource server's id.
const ScopePrefix = "haatline/"

// CommunityUse is the scope that a caller with a session has, and nobody else. It is none of the API's scopes that a
// token of the user pool may have, so no role gives it.
const CommunityUse = ScopePrefix + "community.use"

// Scope is a scope and what it allows. Each operation needs one, or one of several. The scopes of a domain stand in a
// file of its own.
type Scope struct {
	Name, Description string // the name ends with a word for what it allows: inbox.read
	// Roles are the roles that the scope is given to. Operator includes supervisor and administrator, supervisor
	// includes administrator.
	Roles []string
}

// everyday lists the words of the scopes that a token gets without asking for them. Whoever wants anything else has to
// ask for it: to erase, to decide, to repeat what has happened.
var everyday = []string{"read", "write", "add", "manage", "own", "send"}

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
		if slices.Contains(everyday, scope.Name[strings.LastIndex(scope.Name, ".")+1:]) {
			names = append(names, scope.Name)
		}
	}
	return names
}

// ConsoleScopes returns the names of the scopes that the console asks for: the everyday ones, and those of its pages to
// decide card requests and to repeat what has failed. They neither erase nor give money back. A token has those of
// them that the roles of the person give.
func ConsoleScopes() []string {
	return append(EverydayScopes(), CardsDecide, OutboxReplay, EventsReplay)
}

// ConsoleBriefScopes returns the names of the scopes that no session of the console holds. Whoever needs one signs in
// for it once more, and the page holds it for minutes.
func ConsoleBriefScopes() []string { return []string{CustomersErase} }
