package httpapi

// The scopes of cards.
const (
	CardsRead   = ScopePrefix + "cards.read"
	CardsWrite  = ScopePrefix + "cards.write"
	CardsDecide = ScopePrefix + "cards.decide"
	CardsOwn    = ScopePrefix + "cards.own"
)

var cardsScopes = []Scope{
	{CardsRead, "read the users, requests and cards of a card program", []string{operator, auditor}},
	{CardsWrite, "change the users and cards of a card program", []string{supervisor}},
	{CardsDecide, "decide card requests, and set up the card program", []string{administrator}},
	{CardsOwn, "read and use one's own cards", []string{cardholder}},
}
