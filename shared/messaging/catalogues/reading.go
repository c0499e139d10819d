package catalogues

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	perPage = 100    // entries that Meta lists at once
	most    = 10_000 // catalogues, or accounts, that are read of a list
)

// found is a catalogue that Meta lists.
type found struct {
	id    model.Name
	name  string
	count int
}

// problemOwned begins what is stored if Meta does not say which catalogues a portfolio owns.
const problemOwned = "Meta does not say which other catalogues the portfolio owns: "

// readAccount reads which catalogues an account has, and keeps them. It may be repeated.
func (r *request) readAccount(ctx context.Context, tenant model.TenantID, of asked) error {
	asked, err := r.OfAccount(ctx, of.WABAID)
	if err != nil || !current(asked, of) {
		return err
	}
	linked, err := r.listed(ctx, string(of.WABAID), "product_catalogs")
	if err != nil {
		return err
	}
	problem := ""
	owned, err := r.owned(ctx, tenant, of.WABAID)
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && (refused.Class == whatsapp.Never || refused.Class == whatsapp.StopSender) {
		problem, err = problemOwned+refused.Meta.Message, nil
	}
	if err != nil {
		return err
	}
	for _, f := range linked {
		if err := r.keep(ctx, tenant, of.WABAID, f, true); err != nil {
			return err
		}
	}
	for _, f := range owned {
		if slices.ContainsFunc(linked, func(l found) bool { return l.id == f.id }) {
			continue
		}
		if err := r.keep(ctx, tenant, of.WABAID, f, false); err != nil {
			return err
		}
	}
	if err := r.unlinked(ctx, of.WABAID, linked); err != nil {
		return err
	}
	return r.answer(ctx, of, problem)
}

// owned returns the catalogues that the portfolio of an account owns. If another tenant has an account of the
// portfolio, nobody knows whose they are, and there are none.
func (r *request) owned(ctx context.Context, tenant model.TenantID, waba model.WABAID) ([]found, error) {
	account, err := r.meta.AboutNode(ctx, r.phone, string(waba), whatsapp.NumberCall{
		Query: url.Values{"fields": {"owner_business_info"}}})
	business := account.Object("owner_business_info").Text("id")
	if err != nil || business == "" {
		return nil, err
	}
	accounts, err := r.listed(ctx, business, "owned_whatsapp_business_accounts")
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		tenants, err := r.Numbers.TenantsOfAccount(ctx, model.WABAID(a.id))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(tenants, func(t model.TenantID) bool { return t != tenant }) {
			return nil, nil
		}
	}
	return r.listed(ctx, business, "owned_product_catalogs")
}

// listed returns what Meta lists under an edge.
func (r *request) listed(ctx context.Context, id, edge string) (all []found, err error) {
	query := url.Values{"limit": {strconv.Itoa(perPage)}}
	if edge != "owned_whatsapp_business_accounts" {
		query.Set("fields", "id,name,product_count")
	}
	for len(all) < most {
		answer, err := r.meta.AboutNode(ctx, r.phone, id, whatsapp.NumberCall{Edge: edge, Query: query})
		if err != nil {
			return nil, err
		}
		for _, o := range answer.List("data").Objects() {
			if name, err := model.Parse[model.Name](o.Text("id")); err == nil {
				all = append(all, found{name, o.Text("name"), int(o.Int("product_count"))})
			}
		}
		after := afterIn(answer)
		if after == "" {
			break
		}
		query.Set("after", after)
	}
	return all, nil
}

// afterIn returns where the next page of a list begins; "" for none.
func afterIn(answer whatsapp.Object) string {
	paging := answer.Object("paging")
	if paging.Text("next") == "" {
		return ""
	}
	return paging.Object("cursors").Text("after")
}

// keep keeps a catalogue that Meta lists for an account of a tenant. A catalogue that another tenant has stays theirs,
// unless the account shows it and they have no number any more of the account that they had it by. The condition is
// that it is as it was read.
func (r *request) keep(ctx context.Context, tenant model.TenantID, waba model.WABAID, f found, linked bool) error {
	return dynamo.Change(ctx, r.DB, tables.Messages, keys.Catalog(f.id),
		func(c *model.Catalog) ([]dynamo.Write, bool, error) {
			was := *c
			if c.Version > 0 && c.TenantID != tenant {
				if !linked {
					return nil, false, nil
				}
				if _, err := r.Numbers.OfAccount(ctx, c.TenantID, c.WABAMetaID); !errors.Is(err, tenancy.ErrNoNumber) {
					return nil, false, err
				}
				c.StoreID, c.Push, c.Asked = "", nil, nil
			}
			c.PK, c.ItemType, c.CatalogID = keys.Catalog(f.id).Partition, model.ItemCatalog, f.id
			c.TenantID, c.Name, c.ProductCount, c.ReadAt = tenant, f.name, f.count, model.At(r.Now())
			switch {
			case linked:
				c.WABAMetaID, c.Linked = waba, true
			case c.WABAMetaID == "":
				c.WABAMetaID = waba
			}
			return nil, was.Version == 0 || !dynamo.StoredAlike(was, *c), nil
		})
}

// unlinked notes which catalogues an account does not show any more.
func (r *request) unlinked(ctx context.Context, waba model.WABAID, linked []found) error {
	for after := ""; ; {
		page, next, err := r.List(ctx, waba, perPage, after)
		if err != nil {
			return err
		}
		for _, c := range page {
			if !c.Linked || slices.ContainsFunc(linked, func(f found) bool { return f.id == c.CatalogID }) {
				continue
			}
			err := r.change(ctx, c.CatalogID, func(c *model.Catalog) ([]dynamo.Write, bool, error) {
				changed := c.Linked && c.WABAMetaID == waba
				c.Linked = c.Linked && !changed
				return nil, changed, nil
			})
			if err != nil {
				return err
			}
		}
		if after = next; after == "" {
			return nil
		}
	}
}
