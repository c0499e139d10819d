package conversations

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/tables"
)

// exporter exports what the eraser erases.
func (d *Domain) exporter() *export.Exporter {
	return &export.Exporter{
		Domain: Name,
		Lists:  []export.List{{Kind: "companyConversation", PerNumber: true, Read: d.exportConversations}},
		LeftOut: []export.LeftOut{{
			What: "to which conversation a message belongs", Why: "it keeps a message from being written twice",
			Table: tables.Conversations, Begins: "MESSAGE#"}},
	}
}

// exportConversations exports the conversations with a person and their continuations.
func (d *Domain) exportConversations(ctx context.Context, of erasure.Subject, after string,
	limit int) (export.Rows, error) {
	var parts []export.Part
	for _, q := range queries(of) {
		number := dynamo.Text(q.Values, ":number")
		parts = append(parts, export.Query{DB: d.DB, Of: q}.Under(number))
	}
	return export.Parts(ctx, parts, after, limit)
}
