package main

import (
	"testing"

	"github.com/haatline/haatline/infra/topology/topologytest"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "payment-webhook", wire, nil)
}
