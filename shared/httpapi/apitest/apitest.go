// Package apitest walks the operations of a domain's API. A domain describes its API once, as an API value in a test:
//
//	func TestTheAPI(t *testing.T) { apitest.Walk(t, api()) }
//
// Register wires the operations, Furnish gives a tenant one of everything, Requests holds for each operation the
// requests that name a tenant's things, Roles says who may call which operation, and Changes holds for each operation
// that changes something the ways to call it. Walk then calls every operation without a token, without its scope, as a
// stranger, as the owner, as the platform's operator and in every role, and breaks every change at each of its DynamoDB
// calls. An operation that has no requests, no role or no change fails the test by its name.
//
// An API may have operations for people in sessions, and operations for everybody. Sessions makes the callers of the
// first: the owner and the strangers are people in sessions there, and no operator may call. Those for everybody are
// called without a token, and their own test says what they tell to whom.
//
// The messaging domain shows the use: shared/messaging/messagingapi/walk_test.go.
package apitest

import (
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

// API describes a domain's API to the walkers. B is what a tenant has: a struct of strings, by each of which somebody
// could tell that something of the tenant's was shown.
type API[B any] struct {
	Tables []tables.Table

	// Register returns a function that wires the operations on a client of the engine. It is called again for every
	// attempt of a crash test, as every process wires anew. Slow work that depends on no attempt, which is the
	// description of the operations, may be done once, in Register itself. The operations make their ids with newID and
	// take their time from a clock that stands still.
	Register func() func(client *dynamo.Client, newID func() string) *Server

	// Furnish gives the tenant TenantOf(digit) one of everything that an operation touches. Every text that a person
	// wrote or is called contains SecretOf(digit).
	Furnish func(t testing.TB, db *dynamotest.DB, digit string) B

	// Sessions returns the callers of the operations for people in sessions: the person whose things Furnish has made,
	// and others of the same tenant to whom these are as good as absent. An API without such operations has none.
	Sessions func(b B) (owner *Caller, strangers []*Caller)

	// Own lists operations about the caller themself. Their requests name nothing: whoever calls reads and changes
	// what is their own.
	Own []string

	// Once holds, by operation that is done once, what its repetition is answered, such as 401 for a code that was
	// used.
	Once map[string]int

	// Absent holds the names of things that do not exist, in the same forms.
	Absent B

	// Requests returns, by operation, the requests that name what somebody has. An operation takes its method from its
	// description.
	Requests map[string]func(b B) []Request

	// Lists returns requests for the first pages of somebody's lists, each with so small a limit that a second page
	// follows.
	Lists func(b B) []Request

	// OnePage names the lists that never have a second page.
	OnePage []string

	// Last lists operations after which others would find nothing. The owner calls them in this order, after all
	// others.
	Last []string

	// PlatformMay lists the operations that change something and that the platform's operator may call for a tenant of
	// which they are no member.
	PlatformMay []string

	// Roles lists, by group of a role, the operations that it may call. The group "administrator" may call all.
	Roles map[string][]string

	// Changes lists, by operation that changes something, the ways to call it.
	Changes map[string][]Change
}

// Change is a way to call an operation that changes something.
type Change struct {
	Name string
	// Seed fills the tables and returns the request. Where a repetition would do its work twice, the request has an
	// idempotency key.
	Seed func(t testing.TB, db *dynamotest.DB) Request
}

// TenantOf returns the tenant that Furnish furnishes.
func TenantOf(digit string) string { return "tenant-" + digit }

// SecretOf returns the word by which a tenant's texts can be told.
func SecretOf(digit string) string { return "SECRET" + digit }

// Walk runs all walkers, each as a subtest.
func Walk[B any](t *testing.T, a API[B]) {
	t.Run("EveryOperationHasRequests", a.everyOperationHasRequests)
	t.Run("WithoutATokenOrItsScopeNothingIsDone", a.withoutATokenOrItsScopeNothingIsDone)
	t.Run("AStrangerCannotTellWhatIsThereFromWhatIsNot", a.aStrangerCannotTellWhatIsThereFromWhatIsNot)
	t.Run("TheOwnerIsAnswered", a.theOwnerIsAnswered)
	t.Run("EveryBodyHasAnExample", a.everyBodyHasAnExample)
	t.Run("ThePlatformOperatorReadsEverythingAndChangesNothing", a.thePlatformOperatorReadsEverythingAndChangesNothing)
	t.Run("EachRoleMayDoWhatItsScopesSay", a.eachRoleMayDoWhatItsScopesSay)
	t.Run("AnothersThingAmongOnesOwnIsNotThere", a.anothersThingAmongOnesOwnIsNotThere)
	t.Run("AnothersIdempotencyKeyIsNobodyElses", a.anothersIdempotencyKeyIsNobodyElses)
	t.Run("EveryListIsWalked", a.everyListIsWalked)
	t.Run("ACursorIsGoodForItsCallerInItsListAlone", a.aCursorIsGoodForItsCallerInItsListAlone)
	t.Run("EveryChangeHasACase", a.everyChangeHasACase)
	t.Run("ChangesSurviveEveryCrashPoint", a.changesSurviveEveryCrashPoint)
}
