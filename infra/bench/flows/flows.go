// Package flows measures what the functions take under a sustained load on a local cloud: the CPU time of each function
// beside that of a bare handler, its calls to DynamoDB, and how many units of a flow are done in a second.
package flows

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/haatline/haatline/shared/tables"
)

// Flow is something that happens again and again.
type Flow struct {
	Name   string
	Before func(l *load) error // prepares the flow and is not measured; nil for nothing
	// Steps are the steps of a unit. All units have done a step before the next one begins. Several goroutines call a
	// step, each for another unit.
	Steps []func(l *load, unit int) error
	Done  counted // grows by one with each unit that is done
}

// counted are the items of a table for which a condition holds.
type counted struct {
	table     *tables.Table
	condition string
	values    map[string]string
}

// All returns the flows that are measured.
func All() []Flow {
	logged := counted{&tables.Messages, "itemType = :type AND attribute_exists(processedAt)",
		map[string]string{":type": "WEBHOOK_EVENT"}}
	return []Flow{
		{Name: "texts", Steps: steps(writes), Done: counted{
			&tables.Messages, "itemType = :type AND direction = :way",
			map[string]string{":type": "MESSAGE", ":way": "INBOUND"}}},
		{Name: "statuses of known messages", Before: sendToAll, Steps: steps(repeatStatus), Done: logged},
		{Name: "statuses of unknown messages", Steps: steps(unknownStatus), Done: logged},
		{Name: "sends with three statuses", Before: openWindows, Steps: steps(send), Done: counted{
			&tables.Messages, "itemType = :type AND deliveryStatus = :state",
			map[string]string{":type": "MESSAGE", ":state": "read"}}},
		{Name: "orders by chat", Steps: steps(asksForRice, saysYes), Done: counted{
			&tables.Orders, "attribute_exists(total_amount)", nil}},
		{Name: "entries of the khata", Steps: steps(owes), Done: counted{
			&tables.KhataTransactions, "attribute_exists(amount)", nil}},
	}
}

func steps(all ...func(l *load, unit int) error) []func(l *load, unit int) error { return all }

const (
	desk      = "106540352242922" // the demo tenant's number without a store
	shop      = "106540352242923"
	owner     = "919844444444" // of the shop
	customers = 200
)

// customer returns the number of the customer of a unit. Units share customers, as messages do.
func customer(unit int) string { return person(unit % customers) }

func person(number int) string { return strconv.Itoa(919_800_000_000 + number) }

func writes(l *load, unit int) error {
	return l.says(desk, customer(unit), fmt.Sprint("text", unit),
		fmt.Sprintf("Two kilos of basmati rice and one salt, please, number %d", unit))
}

// openWindows has every customer write once, so that they may be sent texts.
func openWindows(l *load) error {
	return l.each(customers, func(l *load, number int) error {
		return l.says(desk, person(number), fmt.Sprint("window", number), "Hello")
	})
}

// sendToAll sends every customer a message, and learns WhatsApp's ids of them.
func sendToAll(l *load) error {
	if err := openWindows(l); err != nil {
		return err
	}
	if err := l.each(customers, send); err != nil {
		return err
	}
	return l.learnSent()
}

func send(l *load, unit int) error {
	return l.api(http.MethodPost, "/v1/conversations/"+desk+":"+customer(unit)+"/messages/text",
		fmt.Sprint("bench-", unit), fmt.Sprintf(`{"body":"Your order number %d is on its way to you."}`, unit))
}

func repeatStatus(l *load, unit int) error {
	return l.status(l.sent[unit%len(l.sent)], customer(unit), unit)
}

func unknownStatus(l *load, unit int) error {
	return l.status(fmt.Sprint("wamid.of-another-app-", unit), customer(unit), unit)
}

func asksForRice(l *load, unit int) error {
	return l.says(shop, person(unit), fmt.Sprint("order", unit), "2 kg kolam rice")
}

func saysYes(l *load, unit int) error {
	return l.says(shop, person(unit), fmt.Sprint("yes", unit), "haan")
}

func owes(l *load, unit int) error {
	return l.says(shop, owner, fmt.Sprint("owes", unit), fmt.Sprintf("+%d 98%08d rice", 100+unit, unit%customers))
}
