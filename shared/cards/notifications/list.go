package notifications

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Filter selects notifications: those about a request, those in a state, or those that are due to be sent again.
// Without a tenant it selects those of all tenants.
type Filter struct {
	Tenant  model.TenantID
	Request model.Name
	Status  cardsmodel.NotificationStatus
	Due     bool
}

// List returns a page of notifications from below a place, with the place of the page's last row, "" for the last page.
// They come newest first; those of all tenants that are due come in the order in which they will be sent. A page of a
// tenant's due ones may hold fewer than there are. The index may be behind by a moment.
func (s *Notifications) List(ctx context.Context, f Filter, limit int,
	below string) (all []cardsmodel.Notification, next string, err error) {
	q, sort := f.query(limit+1, below, s.now()) // the extra row proves that there is a next page
	page, err := s.DB.Query(ctx, q)
	if err != nil {
		return nil, "", fmt.Errorf("notifications: %w", err)
	}
	rows := page.Items
	if len(rows) > limit {
		rows = rows[:limit]
		next = dynamo.Text(rows[limit-1], sort)
	}
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{
			Table: tables.WhatsAppNotifications, Key: keys.Notification(model.Name(dynamo.Text(row, "notificationId")))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, "", fmt.Errorf("notifications: %w", err)
	}
	for _, ref := range refs {
		var n cardsmodel.Notification
		if err := dynamo.Unmarshal(ref.Found(found), &n); err != nil {
			return nil, "", err
		}
		if !f.Due || n.NextRetryAt != "" && n.NextRetryAt <= s.now() {
			all = append(all, n)
		}
	}
	return all, next, nil
}

// query returns the query of the filter's notifications, and the attribute that orders them.
func (f Filter) query(limit int, below string, now model.Time) (q dynamo.Query, sort string) {
	status, sort := f.Status, tables.SortCreatedAtNotificationID
	if f.Due {
		status = cardsmodel.NotificationFailed
	}
	q = dynamo.Query{
		Table: tables.WhatsAppNotifications, Limit: int32(limit), Where: "#partition = :value", Values: dynamo.Item{}}
	partition, value, order := "tenantStatus", keys.OfTenant(f.Tenant, status), " AND #sort < :below"
	q.Index, q.Backwards = tables.IndexNotificationsByTenantStatus, true
	switch {
	case f.Request != "":
		q.Index, partition, value = tables.IndexNotificationsByEntity, tables.PartitionRelatedEntity,
			keys.RelatedEntity(cardsmodel.RelatedRequest, f.Request)
	case f.Tenant == "" && f.Due:
		sort, order, q.Backwards = tables.SortNextRetryAtNotificationID, " AND #sort BETWEEN :below AND :now", false
		q.Index, partition, value = tables.IndexNotificationsByNextRetry, "deliveryStatus", string(status)
		q.Values[":now"], below = dynamo.S(now), below+" " // " " comes before everything that may follow in a key
	case f.Tenant == "":
		q.Index, partition, value = tables.IndexNotificationsByStatus, "deliveryStatus", string(status)
	}
	q.Names, q.Values[":value"] = map[string]string{"#partition": partition}, dynamo.S(value)
	if below != "" {
		q.Where, q.Names["#sort"], q.Values[":below"] = q.Where+order, sort, dynamo.S(below)
	}
	return q, sort
}
