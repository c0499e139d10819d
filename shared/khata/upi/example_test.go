package upi_test

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/khata/upi"
	"github.com/haatline/haatline/shared/model"
)

// A link opens the customer's payment app with the amount filled in.
func ExamplePayment_Link() {
	fmt.Println(upi.Payment{
		VPA: "meena@upi", Payee: "Meena Stores", Amount: model.Amount{Decimal: decimal.RequireFromString("450")},
		Note: "Khata",
	}.Link())
	// Output:
	// upi://pay?pa=meena@upi&pn=Meena%20Stores&am=450.00&cu=INR&tn=Khata
}
