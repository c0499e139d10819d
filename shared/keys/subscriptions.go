package keys

import (
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// EventSubscription returns the key of what of a tenant is told to one place outside.
func EventSubscription(tenant model.TenantID, id model.Name) Key {
	return ByPK(eventSubscription.with(string(tenant), string(id)))
}

// PublishedID returns the id under which an event of a tenant is told: a hash, so that it names nobody, and has no dot.
// The same event always has the same id.
func PublishedID(tenant model.TenantID, kind, of string) string {
	return "evt_" + shortHash(string(tenant)+"#"+kind+"#"+of)
}

// DeliveryEntity returns the id of the entity of an event that is told to one subscription.
func DeliveryEntity(subscription model.Name, published string) string {
	return string(subscription) + ":" + published
}

// IsDeliveryTo reports whether an entity is that of an event which is told to a subscription.
func IsDeliveryTo(entityType, entityID string, subscription model.Name) bool {
	to, _, is := strings.Cut(entityID, ":")
	return is && entityType == EntityDelivery && to == string(subscription)
}

// PushDevice returns the key of a browser in which a colleague wants to be notified.
func PushDevice(tenant model.TenantID, subject, device model.Name) Key {
	return ByPK(pushDevice.with(string(tenant), string(subject), string(device)))
}

// PushKey returns the key of the item by which push services know a tenant.
func PushKey(tenant model.TenantID) Key { return ByPK(pushKey.with(string(tenant))) }

// PushEntity returns the id of the entity of an event of which one browser is notified.
func PushEntity(subject, device model.Name, published string) string {
	return string(subject) + ":" + string(device) + ":" + published
}
