// Package e2e owns the end-to-end tests: they start the local cloud with the built functions on free ports and use it
// from outside, as the README's reader, a customer and a careless operator would.
package e2e
