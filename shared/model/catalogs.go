package model

// The item types of product catalogues at Meta.
const (
	ItemCatalog     = "CATALOG"
	ItemCatalogItem = "PRODUCT"
)

// Catalog is a product catalogue at Meta, CATALOG#{catalogId}.
type Catalog struct {
	Rest
	PK           string `dynamodbav:"pk"`
	ItemType     string `dynamodbav:"itemType"`
	CatalogID    Name   `dynamodbav:"catalogId"`
	WABAMetaID   WABAID `dynamodbav:"wabaMetaId"`
	Name         string `dynamodbav:"name"`
	ProductCount int    `dynamodbav:"productCount"`       // as Meta said it last
	SyncedAt     Time   `dynamodbav:"syncedAt,omitempty"` // when all products were read at Meta

	// Additions.
	TenantID TenantID      `dynamodbav:"tenantId"`
	Linked   bool          `dynamodbav:"linked"`            // Meta shows it in the chats of the account's numbers
	StoreID  Name          `dynamodbav:"storeId,omitempty"` // the store that keeps it; "" for none
	ReadAt   Time          `dynamodbav:"readAt"`            // when Meta last listed it
	Asked    *CatalogAsked `dynamodbav:"asked,omitempty"`   // what Meta was asked last, and the answer
	Push     *CatalogPush  `dynamodbav:"push,omitempty"`    // how far Meta has the store's products
	Version  int64         `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (c *Catalog) Lock() *int64 { return &c.Version }

// CatalogAsked is what Meta was asked about a catalogue, or about the catalogues of an account, and the answer.
type CatalogAsked struct {
	Wish       string `dynamodbav:"wish"`
	At         Time   `dynamodbav:"at"`
	By         string `dynamodbav:"by,omitempty"`         // who has asked for it
	WABAID     WABAID `dynamodbav:"wabaId,omitempty"`     // of an account to link
	After      string `dynamodbav:"after,omitempty"`      // behind what Meta's products are to be read
	Gone       string `dynamodbav:"gone,omitempty"`       // behind which products are to be looked for that are gone
	Read       bool   `dynamodbav:"read,omitempty"`       // all of Meta's products are read
	Count      int    `dynamodbav:"count,omitempty"`      // what was read so far
	AnsweredAt Time   `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string `dynamodbav:"problem,omitempty"`    // what stood in the way
}

// CatalogPush is how far Meta has the products of the store that keeps a catalogue.
type CatalogPush struct {
	Event   string `dynamodbav:"event"` // the outbox event that does it
	BeganAt Time   `dynamodbav:"beganAt"`
	Step    int64  `dynamodbav:"step"`            // counts what was stored
	Again   bool   `dynamodbav:"again,omitempty"` // something has changed since: all is compared once more
	After   string `dynamodbav:"after,omitempty"` // behind which the store's products are to be compared
	Put     bool   `dynamodbav:"put,omitempty"`   // all of the store's products are compared
	Gone    string `dynamodbav:"gone,omitempty"`  // behind which products are to be looked for that the store lacks
	Cleared bool   `dynamodbav:"cleared,omitempty"`
	// Batch is under way at Meta: the requests that were posted together. Handle names it.
	Batch  []CatalogChange `dynamodbav:"batch,omitempty"`
	Handle string          `dynamodbav:"handle,omitempty"`
	// what came of it so far
	Changed int    `dynamodbav:"changed"`
	Deleted int    `dynamodbav:"deleted"`
	Refused int    `dynamodbav:"refused"`
	EndedAt Time   `dynamodbav:"endedAt,omitempty"` // "" while it is under way
	Problem string `dynamodbav:"problem,omitempty"` // what stood in the way of all of it
}

// CatalogChange is one request of a batch.
type CatalogChange struct {
	RetailerID Name   `dynamodbav:"id"`
	Hash       string `dynamodbav:"hash,omitempty"` // of what Meta is to have; "" if it is to have nothing
}

// CatalogItem is a product of a catalogue, PRODUCT#{catalogId}#{retailerId}. Its facts are what Meta has.
type CatalogItem struct {
	Rest
	PK           string  `dynamodbav:"pk"`
	ItemType     string  `dynamodbav:"itemType"`
	CatalogID    Name    `dynamodbav:"catalogId"`
	RetailerID   Name    `dynamodbav:"retailerId"`
	Name         string  `dynamodbav:"name,omitempty"`
	Description  string  `dynamodbav:"description,omitempty"`
	Price        *Amount `dynamodbav:"price,omitempty"` // absent if Meta's text is no number
	Currency     string  `dynamodbav:"currency,omitempty"`
	ImageURL     string  `dynamodbav:"imageUrl,omitempty"`
	Availability string  `dynamodbav:"availability,omitempty"`

	// Additions.
	ReadAt    Time   `dynamodbav:"readAt,omitempty"`  // when Meta last had it in a sync
	Hash      string `dynamodbav:"hash,omitempty"`    // of what a store has put, or was refused; "" if none has
	AtMeta    bool   `dynamodbav:"atMeta,omitempty"`  // Meta has taken it from the store
	Problem   string `dynamodbav:"problem,omitempty"` // why Meta does not have it as the store does
	ProblemAt Time   `dynamodbav:"problemAt,omitempty"`
	// Asked is the latest change that was asked for in a catalogue that no store keeps, and the answer.
	Asked   *CatalogItemAsked `dynamodbav:"asked,omitempty"`
	Version int64             `dynamodbav:"version"`
}

// CatalogItemAsked is a change of a product that Meta was asked for, and the answer.
type CatalogItemAsked struct {
	Wish       string        `dynamodbav:"wish"`
	At         Time          `dynamodbav:"at"`
	By         string        `dynamodbav:"by,omitempty"`         // who has asked for it
	TenantID   TenantID      `dynamodbav:"tenantId"`             // whose catalogue it was then
	Wanted     *CatalogOffer `dynamodbav:"wanted,omitempty"`     // what Meta is to have; absent if it is to have nothing
	Handle     string        `dynamodbav:"handle,omitempty"`     // names the change at Meta while it is under way there
	AnsweredAt Time          `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string        `dynamodbav:"problem,omitempty"`    // what stood in the way
}

// CatalogOffer is what customers see of a product.
type CatalogOffer struct {
	Title        string `dynamodbav:"title"`
	Description  string `dynamodbav:"description"`
	Price        Amount `dynamodbav:"price"`
	Currency     string `dynamodbav:"currency"`
	ImageURL     string `dynamodbav:"imageUrl"`
	Availability string `dynamodbav:"availability"`
	Link         string `dynamodbav:"link,omitempty"` // where people buy it; "" for the chat with the number
}

// Lock returns the version, the optimistic lock.
func (p *CatalogItem) Lock() *int64 { return &p.Version }
