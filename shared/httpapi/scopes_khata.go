package httpapi

// The scopes of khata.
const (
	KhataRead   = ScopePrefix + "khata.read"
	KhataAdd    = ScopePrefix + "khata.add"
	KhataManage = ScopePrefix + "khata.manage"
)

var khataScopes = []Scope{
	{KhataRead, "read who owes what", []string{operator, auditor, cashier, owner}},
	{KhataAdd, "write credit sales and payments down, and remind customers", []string{operator, cashier, owner}},
	{KhataManage, "adjust and reverse entries, set credit limits, and check the books",
		[]string{administrator, owner}},
}
