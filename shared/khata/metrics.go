package khata

import "github.com/haatline/haatline/shared/khata/reconcile"

// LedgerFindings counts what does not hold in the books.
var LedgerFindings = reconcile.Findings
