package httpapi

// The scopes of commerce.
const (
	StoresRead   = ScopePrefix + "stores.read"
	StoresManage = ScopePrefix + "stores.manage"
	OrdersWrite  = ScopePrefix + "orders.write"
)

var commerceScopes = []Scope{
	{StoresRead, "read stores, what they sell, their orders and figures",
		[]string{operator, auditor, cashier, owner}},
	{StoresManage, "set up stores, and change what they sell", []string{supervisor, owner}},
	{OrdersWrite, "make, change and move orders, and answer in place of the assistant",
		[]string{operator, owner}},
}
