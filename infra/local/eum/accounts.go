package eum

import (
	"context"
	"net/http"
	"strings"
)

// linkedAt is when the account was linked, in seconds.
const linkedAt = 1_790_000_000

// detail is a number as Meta shows it.
type detail struct {
	ID      string
	Display string `json:"display_phone_number"`
	Name    string `json:"verified_name"`
	Quality string `json:"quality_rating"`
}

const detailFields = "?fields=display_phone_number,verified_name,quality_rating"

// details asks Meta about a number.
func (s *Server) details(ctx context.Context, phone string) (d detail, refused *refusal) {
	refused = s.ask(ctx, http.MethodGet, version+"/"+phone+detailFields, nil, &d)
	if refused == nil && d.Display == "" || refused != nil && refused.exception == "ResourceNotFoundException" {
		refused = notFound("phone number")
	}
	return d, refused
}

// shown is a number as AWS shows it.
func (s *Server) shown(d detail) map[string]string {
	return map[string]string{
		"arn": NumberARN(s.Region, d.ID), "phoneNumberId": NumberID(d.ID), "metaPhoneNumberId": d.ID,
		"phoneNumber": "+" + strings.TrimPrefix(d.Display, "+"), "displayPhoneNumber": d.Display,
		"displayPhoneNumberName": d.Name, "qualityRating": d.Quality}
}

// summary is the account as AWS lists it.
func (s *Server) summary(ctx context.Context) (map[string]any, *refusal) {
	var of struct{ Name string }
	if refused := s.ask(ctx, http.MethodGet, version+"/"+s.WABA, nil, &of); refused != nil {
		return nil, refused
	}
	return map[string]any{
		"arn": AccountARN(s.Region, s.WABA), "id": AccountID(s.WABA), "wabaId": s.WABA, "wabaName": of.Name,
		"eventDestinations": []any{map[string]string{"eventDestinationArn": TopicARN(s.Region)}},
		"linkDate":          linkedAt, "registrationStatus": "COMPLETE"}, nil
}

func (s *Server) listAccounts(r *http.Request) (any, *refusal) {
	account, refused := s.summary(r.Context())
	return map[string]any{"linkedAccounts": []any{account}}, refused
}

func (s *Server) getAccount(r *http.Request) (any, *refusal) {
	if refused := s.account(r.URL.Query().Get("id")); refused != nil {
		return nil, refused
	}
	account, refused := s.summary(r.Context())
	if refused != nil {
		return nil, refused
	}
	var numbers list[detail]
	if refused := s.ask(r.Context(), http.MethodGet, version+"/"+s.WABA+"/phone_numbers"+detailFields, nil,
		&numbers); refused != nil {
		return nil, refused
	}
	all := []any{}
	for _, d := range numbers.Data {
		all = append(all, s.shown(d))
	}
	account["phoneNumbers"] = all
	return map[string]any{"account": account}, nil
}

func (s *Server) getNumber(r *http.Request) (any, *refusal) {
	phone, refused := s.number(r.URL.Query().Get("id"))
	if refused != nil {
		return nil, refused
	}
	d, refused := s.details(r.Context(), phone)
	return map[string]any{
		"linkedWhatsAppBusinessAccountId": AccountID(s.WABA), "phoneNumber": s.shown(d)}, refused
}
