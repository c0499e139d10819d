package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/haatline/haatline/infra/phrasings"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/engine"
)

const readProducts = 1000

// measureReading returns the CPU time that reading a customer's message takes, with a catalogue of readProducts
// products: the mean over the labelled messages of a shop, the least of some rounds.
func measureReading() (time.Duration, error) {
	root, err := engine.Root()
	if err != nil {
		return 0, err
	}
	shop := filepath.Join(root, "shared", "commerce", "nlu", "testdata", "general")
	products, err := phrasings.ReadCatalogue(shop + ".csv")
	if err != nil {
		return 0, err
	}
	messages, err := phrasings.ReadMessages(shop + ".jsonl")
	if err != nil {
		return 0, err
	}
	index := nlu.NewIndex(copies(products))
	least := time.Duration(0)
	for range rounds {
		began := time.Now()
		for _, m := range messages {
			index.Read(m.Text)
		}
		if mean := time.Since(began) / time.Duration(len(messages)); least == 0 || mean < least {
			least = mean
		}
	}
	return least, nil
}

// copies returns readProducts products: those given, each under several brands.
func copies(products []nlu.Product) []nlu.Product {
	var all []nlu.Product
	for i := 0; len(all) < readProducts; i++ {
		p := products[i%len(products)]
		if brand := i / len(products); brand > 0 {
			p.ID, p.Brand = fmt.Sprintf("%s-%d", p.ID, brand), fmt.Sprintf("Brand%c", 'A'+brand)
			p.Name = p.Brand + " " + p.Name
		}
		all = append(all, p)
	}
	return all
}
