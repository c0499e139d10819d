package httpapi

// The scopes of khata.
const (
	KhataRead   = ScopePrefix + "khata.read"
	KhataAdd    = ScopePrefix + "khata.add"
	KhataManage = ScopePrefix + "khata.manage"
)

var khataScopes = []Scope{
	{KhataRead, "read who owes what", true, []string{operator, auditor, cashier, owner}},
	{KhataAdd, "write credit sales and payments down, and remind customers", true, []string{operator, cashier, owner}},
	{KhataManage, "adjust and reverse entries, set credit limits, and check the books", true,
		[]string{administrator, owner}},
}
