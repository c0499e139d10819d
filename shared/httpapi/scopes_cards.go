package httpapi

// The scopes of cards.
const (
	CardsRead   = ScopePrefix + "cards.read"
	CardsWrite  = ScopePrefix + "cards.write"
	CardsDecide = ScopePrefix + "cards.decide"
	CardsOwn    = ScopePrefix + "cards.own"
)

var cardsScopes = []Scope{
	{CardsRead, "read the users, requests and cards of a card program", true, []string{operator, auditor}},
	{CardsWrite, "change the users and cards of a card program", true, []string{supervisor}},
	{CardsDecide, "decide card requests, and set up the card program", false, []string{administrator}},
	{CardsOwn, "read and use one's own cards", true, []string{cardholder}},
}
