// Package cost owns the price list: what each flow costs in DynamoDB units and round trips, measured on the engine and kept
// as a golden file, so that a change of cost is seen in review.
package cost
