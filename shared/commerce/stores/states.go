package stores

import (
	"github.com/haatline/haatline/shared/lazy"
)

// states are the states and territories of India, by the code with which a GSTIN begins.
var states = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"01": "Jammu and Kashmir", "02": "Himachal Pradesh", "03": "Punjab", "04": "Chandigarh", "05": "Uttarakhand",
		"06": "Haryana", "07": "Delhi", "08": "Rajasthan", "09": "Uttar Pradesh", "10": "Bihar", "11": "Sikkim",
		"12": "Arunachal Pradesh", "13": "Nagaland", "14": "Manipur", "15": "Mizoram",
		"16": "Tripura", "17": "Meghalaya",
		"18": "Assam", "19": "West Bengal", "20": "Jharkhand", "21": "Odisha", "22": "Chhattisgarh",
		"23": "Madhya Pradesh", "24": "Gujarat", "26": "Dadra and Nagar Haveli and Daman and Diu", "27": "Maharashtra",
		"29": "Karnataka", "30": "Goa", "31": "Lakshadweep", "32": "Kerala", "33": "Tamil Nadu", "34": "Puducherry",
		"35": "Andaman and Nicobar Islands", "36": "Telangana", "37": "Andhra Pradesh", "38": "Ladakh",
		"97": "Other Territory",
	}
}}

// StateOf returns the code and the name of the state of a GSTIN, or of its first two digits alone; "" for none.
func StateOf(gstin string) (code, name string) {
	if len(gstin) < 2 {
		return "", ""
	}
	return gstin[:2], states.Get()[gstin[:2]]
}

// unionTerritories are those without a legislature, by the same codes.
var unionTerritories = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"04": true, "26": true, "31": true, "35": true, "38": true}
}}

// OwnTax returns what the half of the tax is called that is not the country's, in the state of a GSTIN.
func OwnTax(gstin string) string {
	if code, _ := StateOf(gstin); unionTerritories.Get()[code] {
		return "UTGST"
	}
	return "SGST"
}

// BetweenStates reports whether a supply between two GSTINs goes from one state into another. Where one of them is not
// known, it stays in the store's own state.
func BetweenStates(seller, buyer string) bool {
	return IsGSTIN(seller) && IsGSTIN(buyer) && seller[:2] != buyer[:2]
}
