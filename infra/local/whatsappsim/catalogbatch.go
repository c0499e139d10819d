package whatsappsim

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxBatchBytes = 16 << 20

var (
	priceForm      = regexp.MustCompile(`^[0-9]+(\.[0-9]+)? [A-Z]{3}$`)
	availabilities = []string{"in stock", "out of stock", "available for order", "discontinued"}
	conditions     = []string{"new", "refurbished", "used"}
)

// handleBatch carries out a batch of requests about the products of a catalogue. A request that lacks a field is
// named in the answer, and not carried out; nor is one whose fields are wrong, which the batch's status says.
func (s *Server) handleBatch(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBatchBytes))
	fields, decodeErr := decodeObject(raw)
	if err != nil || decodeErr != nil {
		writeGraphError(w, invalidParameter("The parameters are no JSON object, or too large."))
		return
	}
	requests, refusal := requestsOf(fields)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	fault := s.faults.take("", "", setting, fields)
	s.answer(w, r, fault, func() (int, any, *graphError) {
		answer, refusal := s.catalogs.carryOut(r.PathValue("id"), requests, fields["allow_upsert"] != false)
		return http.StatusOK, answer, refusal
	})
}

// requestsOf returns the requests of a batch, which may be encoded as a text.
func requestsOf(fields map[string]any) ([]object, *graphError) {
	c, root := &check{}, object{fields: fields}
	c.only(root, "allow_upsert", "item_sub_type", "item_type", "requests")
	c.oneOf(root, "item_type", "PRODUCT_ITEM")
	list, is := fields["requests"].([]any)
	if text, encoded := fields["requests"].(string); encoded {
		is = json.Unmarshal([]byte(text), &list) == nil
	}
	if !is || len(list) == 0 {
		c.missing("requests")
	}
	if len(list) > mostBatchItems {
		c.invalid("requests", "must have at most %d elements.", mostBatchItems)
	}
	var all []object
	for _, one := range list {
		of, _ := one.(map[string]any)
		request := object{path: "requests", fields: of}
		c.only(request, "method", "data")
		c.oneOf(request, "method", "CREATE", "UPDATE", "DELETE")
		c.required(c.object(request, "data"), "id", 100)
		all = append(all, request)
	}
	return all, c.err
}

func (c *catalogs) carryOut(id string, requests []object, upsert bool) (any, *graphError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.of[id]
	if of == nil {
		return nil, notThere(id)
	}
	done := &batch{catalog: id}
	validation := []any{}
	for i, request := range requests {
		data, _ := request.fields["data"].(map[string]any)
		item := object{fields: data}
		name, method := item.text("id"), request.text("method")
		has := of.items[name] != nil
		if method == "DELETE" {
			delete(of.items, name)
			continue
		}
		whole := map[string]any{}
		for key, value := range of.items[name] {
			whole[key] = value
		}
		for key, value := range data {
			whole[key] = value
		}
		problem := ""
		switch missing := missingOf(object{fields: whole}); {
		case method == "CREATE" && has:
			problem = "An item with this ID exists already."
		case method == "UPDATE" && !has && !upsert:
			problem = "There is no item with this ID."
		case len(missing) > 0:
			problem = "A required field is missing: " + strings.Join(missing, ", ") + "."
			validation = append(validation, map[string]any{"retailer_id": name,
				"errors": []any{map[string]any{"message": problem}}, "warnings": []any{}})
		default:
			problem = wrongOf(object{fields: whole})
		}
		if problem != "" {
			done.invalid = append(done.invalid, name)
			done.errors = append(done.errors, map[string]any{"line": i + 1, "id": name, "message": problem})
			continue
		}
		of.items[name] = whole
	}
	handle := newHandle()
	c.batches[handle] = done
	return map[string]any{"handles": []string{handle}, "validation_status": validation}, nil
}

// missingOf returns the required fields that a product lacks.
func missingOf(item object) (missing []string) {
	for _, field := range []string{
		"title", "description", "availability", "condition", "price", "link", "image_link"} {
		if item.text(field) == "" {
			missing = append(missing, field)
		}
	}
	return missing
}

// wrongOf says what is wrong with a product; "" for nothing.
func wrongOf(item object) string {
	isLink := func(text string) bool {
		address, err := url.Parse(text)
		return err == nil && address.Host != "" && strings.HasPrefix(address.Scheme, "http")
	}
	switch {
	case utf8.RuneCountInString(item.text("title")) > 200:
		return "The title is longer than 200 characters."
	case utf8.RuneCountInString(item.text("description")) > 9999:
		return "The description is longer than 9999 characters."
	case !slices.Contains(availabilities, item.text("availability")):
		return "The availability is not a supported value."
	case !slices.Contains(conditions, item.text("condition")):
		return "The condition is not a supported value."
	case !priceForm.MatchString(item.text("price")):
		return "The price is not a number and a currency code."
	case !isLink(item.text("link")):
		return "The link is not a URL."
	case !isLink(item.text("image_link")):
		return "The image link is not a URL."
	}
	return ""
}

// handleBatchStatus answers how far a batch is.
func (s *Server) handleBatchStatus(w http.ResponseWriter, r *http.Request) {
	s.catalogs.mu.Lock()
	defer s.catalogs.mu.Unlock()
	handle := r.URL.Query().Get("handle")
	done := s.catalogs.batches[handle]
	if done == nil || done.catalog != r.PathValue("id") {
		writeGraphError(w, invalidParameter("The handle is not one of this catalog."))
		return
	}
	status := map[string]any{
		"handle": handle, "status": "started", "errors": []any{}, "warnings": []any{}, "errors_total_count": 0,
		"ids_of_invalid_requests": []string{}}
	if done.looked {
		status["status"], status["errors_total_count"] = "finished", len(done.errors)
		status["errors"] = append([]any{}, done.errors[:min(len(done.errors), 10)]...) // Meta shows a sample
		if r.URL.Query().Get("load_ids_of_invalid_requests") == "true" {
			status["ids_of_invalid_requests"] = append([]string{}, done.invalid...)
		}
	}
	done.looked = true
	writeJSON(w, http.StatusOK, map[string]any{"data": []any{status}})
}
