package nlu_test

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

// An index knows the words of one shop's goods. It reads what a customer writes, in English, Hindi or a mixture.
func ExampleIndex_Read() {
	shop := nlu.NewIndex([]nlu.Product{
		{ID: "rice", Name: "Basmati Rice", Unit: "kg", PackSize: "1 kg", Price: decimal.NewFromInt(120)},
		{ID: "milk", Name: "Taaza Milk", Unit: "packet", PackSize: "500 ml", Price: decimal.NewFromInt(27)},
	})
	reading := shop.Read("bhaiya 2 kg chawal aur 3 packet doodh bhej do")
	fmt.Println(reading.Intent)
	for _, line := range reading.Lines {
		fmt.Println(line.ProductID, line.Quantity)
	}
	fmt.Printf("%s %q\n", shop.Read("haan").Reply, shop.Read("rate zyada hai").Reply)
	// Output:
	// order
	// rice 2
	// milk 3
	// yes ""
}
