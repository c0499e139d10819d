package analytics

import (
	"cmp"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
)

// byTTL deletes what has expired.
const byTTL = "dynamodb.amazonaws.com"

// RowOf returns the order of a record, read now, as analytics should have it. It reports whether the record is news: a
// change without a new version is what has been done about the order.
func RowOf(record events.DynamoDBEventRecord, now time.Time) (row commercemodel.AnalyticsOrder, news bool, err error) {
	was, is := stream.Item(record.Change.OldImage), stream.Item(record.Change.NewImage)
	gone := len(is) == 0
	if !gone && dynamo.Int(was, "version") == dynamo.Int(is, "version") {
		return row, false, nil
	}
	if gone {
		is = was
	}
	var order commercemodel.Order
	if err := dynamo.Unmarshal(is, &order); err != nil {
		return row, false, err
	}
	row = rowOf(order)
	if gone {
		row.Version++
		row.DeletedAt = model.At(cmp.Or(record.Change.ApproximateCreationDateTime.Time, now))
		row.Expired = record.UserIdentity != nil && record.UserIdentity.PrincipalID == byTTL
	}
	return row, true, nil
}

func rowOf(o commercemodel.Order) commercemodel.AnalyticsOrder {
	row := commercemodel.AnalyticsOrder{
		StoreID: o.StoreID, OrderID: o.ID, Version: o.Version, TenantID: o.TenantID, CustomerID: o.CustomerID,
		Status: o.Status, Channel: o.Channel,
		Language: o.Language, PaymentMethod: o.PaymentMethod, TotalAmount: o.TotalAmount, Date: o.Date,
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt,
	}
	if o.ErasedAt != "" {
		row.CustomerID = ""
	}
	for _, line := range o.Items {
		row.Lines = append(row.Lines, commercemodel.AnalyticsLine{
			ProductID: line.ProductID, SKU: line.SKU, Name: line.Name, Unit: line.Unit, Quantity: line.Quantity,
			Price: line.Price, Amount: line.Amount,
		})
	}
	return row
}
