// Package following does what follows from an order: the figures of its day, the goods that leave the stock, and what
// customer and shop are told, and what is copied for analytics. The orders table's stream only says that an order has
// changed: what is done depends on the order as it is, so that records may come late, twice and in other batches.
package following

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/commerce/notices"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stock"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/stream"
)

// Consumer follows the changes of orders.
type Consumer struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Log     *slog.Logger
	Figures *figures.Figures
	Stock   *stock.Stock
	Codes   *codes.Codes
	Notices *notices.Notices
	Credit  Credit // nil if there is no credit book
	// Publisher tells those outside what becomes of orders; nil if nobody is told.
	Publisher *publishing.Publisher
	// Analytics copies the orders to a database outside; nil for none.
	Analytics *analytics.Copier

	worker *stream.Worker
}

// Credit is the credit book.
type Credit interface {
	// Follow writes down what an order on credit means by now. Repeating does nothing.
	Follow(ctx context.Context, order commercemodel.Order) error
}

// New returns a consumer with its worker.
func New(c Consumer) *Consumer {
	c.worker = &stream.Worker{
		ImageOf: imageOf, Open: c.open, Permanent: dynamo.Permanent, Park: c.park, SetAside: c.setAside, Log: c.Log,
	}
	return &c
}

// Handle processes a batch of the stream. Analytics comes last, so that a slow database delays nothing.
func (c *Consumer) Handle(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	response, err := c.worker.Handle(ctx, event)
	if err != nil || c.Analytics == nil {
		return response, err
	}
	return withCopies(event, response, c.Analytics.Copy(ctx, event.Records)), nil
}

// withCopies returns a response that reports the records whose copies failed, too, in the batch's order.
func withCopies(event events.DynamoDBEvent, response events.DynamoDBEventResponse,
	copies []error) events.DynamoDBEventResponse {
	reported := map[string]bool{}
	for _, failure := range response.BatchItemFailures {
		reported[failure.ItemIdentifier] = true
	}
	response.BatchItemFailures = response.BatchItemFailures[:0]
	for i, record := range event.Records {
		if sequence := record.Change.SequenceNumber; reported[sequence] || copies[i] != nil {
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.DynamoDBBatchItemFailure{ItemIdentifier: sequence})
		}
	}
	return response
}

// byTTL deletes what has expired.
const byTTL = "dynamodb.amazonaws.com"

// imageOf returns a record's change as an item. It returns nil for an order that has expired, because its day was as it
// was, and for a change without a new version, which is what has been done about the order.
func imageOf(record events.DynamoDBEventRecord) dynamo.Item {
	was, is := stream.Item(record.Change.OldImage), stream.Item(record.Change.NewImage)
	removed := len(is) == 0
	if removed && record.UserIdentity != nil && record.UserIdentity.PrincipalID == byTTL ||
		!removed && dynamo.Int(was, "version") == dynamo.Int(is, "version") {
		return nil
	}
	image := is
	if removed {
		image = was
	}
	change := commercemodel.OrderChange{
		StoreID: model.Name(dynamo.Text(image, "store_id")), OrderID: model.Name(dynamo.Text(image, "id")),
		CustomerID: model.Name(dynamo.Text(image, "customer_id")), Date: dynamo.Text(image, "date"),
		Version: dynamo.Int(image, "version"),
		At:      model.Time(dynamo.Text(image, "updated_at")), Removed: removed,
	}
	if before, now := dynamo.Text(was, "status"), dynamo.Text(is, "status"); before != now {
		change.From, change.To = commercemodel.OrderStatus(before), commercemodel.OrderStatus(now)
	}
	item, err := dynamo.Marshal(change)
	if err != nil {
		return nil // texts and numbers always have a stored form
	}
	return item
}

// open reads the orders of a batch and their stores, as they are now, and returns the work on each change. Changes of
// one order, of one customer and of orders with one discount code are worked on one after another, because they meet in
// what is stored. A shop's day and its stock are set once for the whole batch.
func (c *Consumer) open(ctx context.Context, images []dynamo.Item) []stream.Job {
	changes := make([]commercemodel.OrderChange, len(images))
	faults := make([]error, len(images))
	var refs []dynamo.Ref
	for i, image := range images {
		if faults[i] = dynamo.Unmarshal(image, &changes[i]); faults[i] == nil {
			refs = append(refs, orders.Ref(changes[i].StoreID, changes[i].OrderID),
				marks.Ref(changes[i].StoreID, changes[i].OrderID), stores.Ref(changes[i].StoreID))
		}
	}
	found, failed := c.DB.BatchGet(ctx, refs)
	shops := map[model.Name]*shop{}
	jobs := make([]stream.Job, len(images))
	for i, change := range changes {
		if err := errors.Join(faults[i], failed); err != nil {
			jobs[i].Do = func(context.Context) error { return err }
			continue
		}
		of := shops[change.StoreID]
		if of == nil {
			of = &shop{consumer: c, found: found, days: map[string]*day{}, settled: map[model.Name]error{}}
			shops[change.StoreID] = of
		}
		of.changes = append(of.changes, change)
		jobs[i] = stream.Job{
			Order: meets(found, change),
			Do:    func(ctx context.Context) error { return of.follow(ctx, change) }}
	}
	return jobs
}

// meets returns what the work on a change shares with that on others: the order, its customer, and its discount code.
func meets(found dynamo.Found, change commercemodel.OrderChange) []string {
	store := string(change.StoreID)
	all := []string{store + "#order#" + string(change.OrderID), store + "#customer#" + string(change.CustomerID)}
	if order, err := orders.In(found, change.StoreID, change.OrderID); err == nil && order.Code != nil {
		all = append(all, store+"#code#"+string(order.Code.Code))
	}
	return all
}
