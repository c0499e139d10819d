package whatsappsim

import (
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Of catalogues.
const (
	businessID     = "2729063490586005" // of the portfolio that owns the business account
	mostBatchItems = 5000               // requests in one batch
	mostCatalogs   = 1                  // catalogues that are connected to the business account
	catalogPage    = 25                 // products of a page, unless asked otherwise
	catalogScope   = "catalog_management"
)

// catalogs are the product catalogues of the portfolio, by their ids.
type catalogs struct {
	mu      sync.Mutex
	of      map[string]*catalog
	linked  []string // connected to the business account
	batches map[string]*batch
}

// catalog is a product catalogue.
type catalog struct {
	name  string
	items map[string]map[string]any // by retailer id, with the fields of a batch
}

// batch is what came of a batch of requests. It is carried out at once, and shows as started when it is looked at for
// the first time.
type batch struct {
	catalog string
	looked  bool
	errors  []any
	invalid []string
}

func newCatalogs() *catalogs {
	return &catalogs{of: map[string]*catalog{}, batches: map[string]*batch{}}
}

// show is a catalogue as Meta shows it.
func (c *catalogs) show(id string) map[string]any {
	return map[string]any{"id": id, "name": c.of[id].name, "product_count": len(c.of[id].items)}
}

// handleAddCatalog adds a catalogue, as a person adds one at Meta.
func (s *Server) handleAddCatalog(w http.ResponseWriter, r *http.Request) {
	var added struct{ ID, Name string }
	if err := decodeControl(w, r, &added); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	s.catalogs.mu.Lock()
	defer s.catalogs.mu.Unlock()
	s.catalogs.of[added.ID] = &catalog{name: added.Name, items: map[string]map[string]any{}}
	w.WriteHeader(http.StatusNoContent)
}

// catalogRoutes puts the routes of catalogues.
func (s *Server) catalogRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST /simulator/catalogs", s.handleAddCatalog)
	const linked = " /{version}/{id}/product_catalogs"
	mux.HandleFunc("GET"+linked, s.authorized(s.ofCatalogs(s.ofBusiness(s.handleLinked))))
	mux.HandleFunc("POST"+linked, s.authorized(s.ofCatalogs(s.ofBusiness(s.handleLink(true)))))
	mux.HandleFunc("DELETE"+linked, s.authorized(s.ofCatalogs(s.ofBusiness(s.handleLink(false)))))
	mux.HandleFunc("GET /{version}/{id}/owned_product_catalogs", s.authorized(s.ofCatalogs(s.handleOwned)))
	mux.HandleFunc("GET /{version}/{id}/owned_whatsapp_business_accounts",
		s.authorized(s.ofCatalogs(s.handleAccounts)))
	mux.HandleFunc("GET /{version}/{id}/products", s.authorized(s.ofCatalogs(s.handleProducts)))
	mux.HandleFunc("POST /{version}/{id}/items_batch", s.authorized(s.ofCatalogs(s.handleBatch)))
	mux.HandleFunc("GET /{version}/{id}/check_batch_request_status",
		s.authorized(s.ofCatalogs(s.handleBatchStatus)))
}

// ofCatalogs restricts a route to tokens that may manage catalogues.
func (s *Server) ofCatalogs(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(s.account.get().Scopes, catalogScope) {
			writeGraphError(w, refuse(http.StatusForbidden, 200, "Missing permission: %s", catalogScope))
			return
		}
		next(w, r)
	}
}

func (s *Server) handleLinked(w http.ResponseWriter, r *http.Request) {
	s.catalogs.mu.Lock()
	defer s.catalogs.mu.Unlock()
	s.showCatalogs(w, r, s.catalogs.linked)
}

func (s *Server) handleOwned(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("id") != businessID {
		writeGraphError(w, notThere(r.PathValue("id")))
		return
	}
	s.catalogs.mu.Lock()
	defer s.catalogs.mu.Unlock()
	s.showCatalogs(w, r, slices.Sorted(maps.Keys(s.catalogs.of)))
}

// handleAccounts answers the business accounts of the portfolio.
func (s *Server) handleAccounts(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("id") != businessID {
		writeGraphError(w, notThere(r.PathValue("id")))
		return
	}
	all := []any{}
	for _, id := range s.account.get().WABAIDs {
		all = append(all, map[string]any{"id": id})
	}
	writePage(w, r, all)
}

func (s *Server) showCatalogs(w http.ResponseWriter, r *http.Request, ids []string) {
	all := []any{}
	for _, id := range ids {
		all = append(all, chosenOf(s.catalogs.show(id), firstNonEmpty(r.URL.Query().Get("fields"), "id,name")))
	}
	writePage(w, r, all)
}

// writePage answers a page of a list.
func writePage(w http.ResponseWriter, r *http.Request, all []any) {
	page, paging, refusal := pageOf(r, all)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": page, "paging": paging})
}

// pageOf returns the page of a list that a request names, and where the next one begins.
func pageOf(r *http.Request, all []any) (page []any, paging map[string]any, refusal *graphError) {
	query := r.URL.Query()
	limit, err := strconv.Atoi(firstNonEmpty(query.Get("limit"), strconv.Itoa(catalogPage)))
	from, ok := templateCursor(query.Get("after"))
	if err != nil || limit < 1 || !ok {
		return nil, nil, invalidParameter("Invalid cursors values")
	}
	from = min(from, len(all))
	to := min(from+limit, len(all))
	paging = map[string]any{"cursors": map[string]string{"before": cursorText(from), "after": cursorText(to)}}
	if to < len(all) {
		paging["next"] = "http://" + r.Host + r.URL.Path + "?" + url.Values{"after": {cursorText(to)}}.Encode()
	}
	return all[from:to], paging, nil
}

// handleLink connects a catalogue to the business account, or ends that.
func (s *Server) handleLink(wanted bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fields, refusal := fieldsOf(w, r)
		if refusal != nil {
			writeGraphError(w, refusal)
			return
		}
		id := object{fields: fields}.text("catalog_id")
		fault := s.faults.take("", "", setting, fields)
		s.answer(w, r, fault, func() (int, any, *graphError) {
			return http.StatusOK, map[string]bool{"success": true}, s.catalogs.link(id, wanted)
		})
	}
}

func (c *catalogs) link(id string, wanted bool) *graphError {
	c.mu.Lock()
	defer c.mu.Unlock()
	is := slices.Contains(c.linked, id)
	switch {
	case c.of[id] == nil:
		return notThere(id)
	case wanted && is:
	case wanted && len(c.linked) >= mostCatalogs:
		return invalidParameter("The WhatsApp Business Account is connected to another catalog.")
	case wanted:
		c.linked = append(c.linked, id)
	case !is:
		return invalidParameter("The catalog is not connected to the WhatsApp Business Account.")
	default:
		c.linked = slices.DeleteFunc(c.linked, func(has string) bool { return has == id })
	}
	return nil
}

// handleProducts answers a page of the products of a catalogue.
func (s *Server) handleProducts(w http.ResponseWriter, r *http.Request) {
	s.catalogs.mu.Lock()
	defer s.catalogs.mu.Unlock()
	of := s.catalogs.of[r.PathValue("id")]
	if of == nil {
		writeGraphError(w, notThere(r.PathValue("id")))
		return
	}
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(of.items)) {
		item := object{fields: of.items[id]}
		amount, currency, _ := strings.Cut(item.text("price"), " ")
		shown := map[string]any{
			"id": hashOf(r.PathValue("id") + id)[:12], "retailer_id": id, "name": item.text("title"),
			"description": item.text("description"), "price": shownPrice(amount, currency), "currency": currency,
			"availability": item.text("availability"), "image_url": item.text("image_link"), "url": item.text("link")}
		all = append(all, chosenOf(shown, firstNonEmpty(r.URL.Query().Get("fields"), "id,name,retailer_id")))
	}
	writePage(w, r, all)
}

// shownPrice is a price as Meta shows it: with the sign of the currency and with separators.
func shownPrice(amount, currency string) string {
	whole, cents, has := strings.Cut(amount, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if !has {
		cents = "00"
	}
	sign := currency + " "
	if currency == "INR" {
		sign = "₹"
	}
	return sign + whole + "." + (cents + "00")[:2]
}

// newHandle makes the handle of a batch.
func newHandle() string { return "Ac" + rand.Text() + rand.Text() }
