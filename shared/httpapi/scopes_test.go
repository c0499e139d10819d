package httpapi

import (
	"regexp"
	"slices"
	"testing"
)

func TestATokenGetsNothingDangerousUnasked(t *testing.T) {
	unasked := EverydayScopes()
	for scope, want := range map[string]bool{
		InboxRead: true, MessagesSend: true, KhataAdd: true, StoresManage: true, CardsOwn: true,
		OutboxReplay: false, EventsReplay: false, EventsPurge: false, CustomersErase: false, CardsDecide: false,
		PaymentsRefund: false,
	} {
		if got := slices.Contains(unasked, scope); got != want {
			t.Errorf("%s without asking for it: %v", scope, got)
		}
	}
}

func TestTheConsoleDecidesAndRepeatsButNeverErasesOrRefunds(t *testing.T) {
	asked := ConsoleScopes()
	for scope, want := range map[string]bool{
		InboxRead: true, CardsDecide: true, OutboxReplay: true, EventsReplay: true,
		EventsPurge: false, CustomersErase: false, PaymentsRefund: false,
	} {
		if got := slices.Contains(asked, scope); got != want {
			t.Errorf("%s of the console: %v", scope, got)
		}
	}
}

func TestNoSessionOfTheConsoleHoldsABriefScope(t *testing.T) {
	for _, scope := range ConsoleBriefScopes() {
		if slices.Contains(ConsoleScopes(), scope) || slices.Contains(EverydayScopes(), scope) {
			t.Errorf("each session holds %s", scope)
		}
	}
}

func TestEveryScopeIsAThingAndAWord(t *testing.T) {
	form := regexp.MustCompile(`^` + ScopePrefix + `[a-z]+\.[a-z]+$`)
	for _, scope := range Scopes() {
		if !form.MatchString(scope.Name) || scope.Description == "" || len(scope.Roles) == 0 {
			t.Errorf("%+v", scope)
		}
	}
}
