package flows

import (
	"context"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
)

// statusChange is Meta's word for an event about the status. All others are alerts.
const statusChange = "FLOW_STATUS_CHANGE"

// maxAlerts bounds the kinds of alerts that are kept of a flow.
const maxAlerts = 16

// statuses are in the order in which a flow gets them within a second, which is how exactly Meta says when.
var statuses = []string{"DRAFT", "PUBLISHED", "THROTTLED", "BLOCKED", "DEPRECATED"}

// Reader returns the reader of Meta's events about flows.
func (s *Flows) Reader() webhooklog.Reader {
	return s.Log.ReaderOf(webhooklog.Fields("flows"), s.apply)
}

// apply keeps what an event says of a flow. One of a flow that is not known is kept as well, unless the flow is a
// draft: it may be deleted since, and no event tells of that.
func (s *Flows) apply(ctx context.Context, event webhooklog.Event) error {
	id, err := model.Parse[model.Name](event.Value.Text("flow_id"))
	if err != nil || !created(id) || event.Entry.WABAMetaID == "" {
		return nil // it stays in the log
	}
	name, status := event.Value.Text("event"), event.Value.Text("new_status")
	second := secondOf(event.At.At())
	return s.change(ctx, id, func(f *model.Flow) ([]dynamo.Write, bool, error) {
		if f.Version == 0 && name == statusChange && status == statuses[0] {
			return nil, false, nil
		}
		f.PK, f.ItemType, f.FlowID = keys.Flow(id).Partition, model.ItemFlow, id
		f.WABAMetaID = event.Entry.WABAMetaID
		if name == statusChange {
			return nil, setStatus(f, status, second), nil
		}
		return nil, addAlert(f, name, model.FlowAlert{
			Order: model.OrderOf(second, 0), Value: document(event.Value)}), nil
	})
}

// secondOf returns the second in which a time is.
func secondOf(at model.Time) model.Time { return model.At(at.Go().Truncate(time.Second)) }

// setStatus sets the status of a flow unless Meta has said another one since, and reports whether it did. Within a
// second the later status wins, so that a read which Meta answers with the status of before does not outlast an event.
func setStatus(f *model.Flow, status string, second model.Time) bool {
	order := model.OrderOf(second, int64(max(slices.Index(statuses, status), 0)))
	if status == "" || f.StatusOrder >= order {
		return false
	}
	f.Status, f.StatusOrder = model.Truncate(status, maxText), order
	return true
}

// addAlert adds an alert to those of a flow, and reports whether it is the latest of its kind. Of two within a second,
// the same one stays in whatever order they come.
func addAlert(f *model.Flow, name string, alert model.FlowAlert) bool {
	name = model.Truncate(name, maxText)
	has, known := f.Alerts[name]
	later := alert.Order > has.Order || alert.Order == has.Order && string(alert.Value) > string(has.Value)
	if name == "" || !later || !known && len(f.Alerts) >= maxAlerts {
		return false
	}
	if f.Alerts == nil {
		f.Alerts = map[string]model.FlowAlert{}
	}
	f.Alerts[name] = alert
	return true
}
