package analytics

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	// templatesAtOnce is how many templates Meta tells of in one answer.
	templatesAtOnce = 10
	// pageOfPoints is how many entries Meta lists at once.
	pageOfPoints = 100
)

// problemTemplates begins what is stored if Meta does not say what was sent by template.
const problemTemplates = "Meta does not say what was sent by template: "

// figures are what Meta has counted of some days. A part that Meta has not said is left as it was.
type figures struct {
	meta Meta
	of   asked
	days []string
	by   map[string]*model.Figures

	saidMessages, saidPrices, saidTemplates bool
}

// read asks Meta for everything. problem is what stood in the way of a part: Meta counts templates only for accounts
// that have confirmed it once.
func (f *figures) read(ctx context.Context, templates Templates) (problem string, err error) {
	for _, date := range f.days {
		f.by[date] = &model.Figures{
			Prices: map[string]int64{}, Costs: map[string]model.Amount{},
			Templates: map[string]model.TemplateFigures{}}
	}
	if err := f.messages(ctx); err != nil {
		return "", err
	}
	if err := f.prices(ctx); err != nil {
		return "", err
	}
	err = f.templates(ctx, templates)
	f.saidTemplates = err == nil
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && (refused.Class == whatsapp.Never || refused.Class == whatsapp.StopSender) {
		return problemTemplates + refused.Meta.Message, nil
	}
	return "", err
}

// span returns the begin of the first day and the end of the last one, in seconds.
func (f *figures) span() (from, to int64) {
	first, _ := time.Parse(dateForm, f.days[0])
	last, _ := time.Parse(dateForm, f.days[len(f.days)-1])
	return first.Unix(), last.Add(day).Unix()
}

// on returns the figures of the day in which a point begins; nil if that is not asked for. Points of half an hour begin
// on a day of UTC, whatever the time zone of the account is; Meta's days do not.
func (f *figures) on(point whatsapp.Object) *model.Figures {
	return f.by[time.Unix(point.Int("start"), 0).UTC().Format(dateForm)]
}

// field asks Meta for a field of the account with its filters, and for the account's currency.
func (f *figures) field(ctx context.Context, name, filters string) (whatsapp.Object, error) {
	from, to := f.span()
	return f.meta.AboutNode(ctx, string(f.of.PhoneNumberID), string(f.of.WABAID), whatsapp.NumberCall{
		Query: url.Values{"fields": {fmt.Sprintf("%s.start(%d).end(%d).granularity(HALF_HOUR)%s,currency", name, from,
			to, filters)}}})
}

// messages reads how many messages were sent and delivered.
func (f *figures) messages(ctx context.Context) error {
	answer, err := f.field(ctx, "analytics", "")
	_, f.saidMessages = answer["analytics"]
	found := answer.Object("analytics")
	for _, point := range found.List("data_points").Objects() {
		if is := f.on(point); is != nil {
			is.Sent += point.Int("sent")
			is.Delivered += point.Int("delivered")
		}
	}
	return err
}

// prices reads how many messages had which price, and what they cost.
func (f *figures) prices(ctx context.Context) error {
	answer, err := f.field(ctx, "pricing_analytics",
		`.metric_types(["COST","VOLUME"]).dimensions(["PRICING_CATEGORY"])`)
	_, f.saidPrices = answer["pricing_analytics"]
	found := answer.Object("pricing_analytics")
	for _, is := range f.by {
		is.Currency = model.Truncate(answer.Text("currency"), 3)
	}
	for _, group := range found.List("data").Objects() {
		for _, point := range group.List("data_points").Objects() {
			is := f.on(point)
			if is == nil {
				continue
			}
			category := cmp.Or(strings.ToLower(point.Text("pricing_category")), "unknown")
			is.Prices[category] += point.Int("volume")
			if cost, ok := costOf(point.Text("cost")); ok {
				is.Costs[category] = model.Amount{Decimal: is.Costs[category].Add(cost)}
			}
		}
	}
	return err
}

// costDecimals are the decimals of a cost that are kept. What Meta says behind them is the noise of binary fractions.
const costDecimals = 9

// costOf parses and rounds a cost. It reports false for a text that is no number, and for a number that is too long or
// too large to be the cost of a day.
func costOf(text string) (decimal.Decimal, bool) {
	const longest, mostDigits = 60, 15
	cost, err := decimal.NewFromString(text)
	if err != nil || len(text) > longest || cost.Exponent() > mostDigits || cost.Exponent() < -longest ||
		cost.IntPart() > 1e15 {
		return decimal.Decimal{}, false
	}
	return cost.Round(costDecimals), true
}

// templates reads what was sent by template. The languages of a template are counted together.
func (f *figures) templates(ctx context.Context, known Templates) error {
	all, err := known.Of(ctx, f.of.WABAID)
	if err != nil {
		return err
	}
	var ids []string
	names := map[string]string{}
	for _, t := range all {
		if t.TemplateID != "" {
			ids = append(ids, t.TemplateID)
			names[t.TemplateID] = t.TemplateName
		}
	}
	slices.Sort(ids)
	for some := range slices.Chunk(ids, templatesAtOnce) {
		if err := f.someTemplates(ctx, some, names); err != nil {
			return err
		}
	}
	return nil
}

func (f *figures) someTemplates(ctx context.Context, ids []string, names map[string]string) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	from, to := f.span()
	query := url.Values{
		"start": {fmt.Sprint(from)}, "end": {fmt.Sprint(to)}, "granularity": {"DAILY"},
		"metric_types": {"SENT,DELIVERED,READ"}, "template_ids": {string(list)}, "limit": {fmt.Sprint(pageOfPoints)}}
	for {
		answer, err := f.meta.AboutNode(ctx, string(f.of.PhoneNumberID), string(f.of.WABAID),
			whatsapp.NumberCall{Edge: "template_analytics", Query: query})
		if err != nil {
			return err
		}
		for _, group := range answer.List("data").Objects() {
			for _, point := range group.List("data_points").Objects() {
				f.addTemplate(point, names)
			}
		}
		paging := answer.Object("paging")
		after := paging.Object("cursors").Text("after")
		if paging.Text("next") == "" || after == "" || after == query.Get("after") {
			return nil
		}
		query.Set("after", after)
	}
}

// addTemplate adds what was sent by a template in a day. Meta counts those days by UTC.
func (f *figures) addTemplate(point whatsapp.Object, names map[string]string) {
	is, name := f.on(point), names[point.Text("template_id")]
	if is == nil || name == "" {
		return
	}
	has := is.Templates[name]
	has.Sent += point.Int("sent")
	has.Delivered += point.Int("delivered")
	has.Read += point.Int("read")
	if has != (model.TemplateFigures{}) {
		is.Templates[name] = has
	}
}
