package keys

import "github.com/haatline/haatline/shared/model"

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
