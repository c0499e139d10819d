package settings

import (
	"errors"
	"fmt"
)

// Console is the page of the people who work in the shop, in S3 behind CloudFront.
type Console struct {
	On bool
	// Domain is a domain of the deployment's own, with the ARN of its certificate. Without one the console has the
	// address that CloudFront gives it.
	Domain, Certificate string
}

// parseConsole parses the context values console, consoleDomain and consoleCertificate. There is a console wherever
// there are sign-in pages, unless it is turned off.
func parseConsole(text func(name string) string, options Options) (Console, error) {
	c := Console{
		On: options.DomainPrefix != "", Domain: text("consoleDomain"), Certificate: text("consoleCertificate")}
	if asked := text("console"); asked != "" {
		on, err := parseSwitch("console", asked)
		if err != nil {
			return Console{}, err
		}
		if on && !c.On {
			return Console{}, errors.New("console=on: without sign-in pages nobody gets in: add -c domainPrefix=…")
		}
		c.On = on
	}
	if c.Domain == "" && c.Certificate == "" {
		return c, nil
	}
	if !c.On {
		return Console{}, errors.New("consoleDomain: there is no console: it needs -c domainPrefix=…, and no " +
			"-c console=off")
	}
	if len(c.Domain) > 253 || !hostForm.MatchString(c.Domain) || c.Domain == options.Domain.Name {
		return Console{}, fmt.Errorf("consoleDomain: %q is no domain of its own such as desk.acme.example, in small "+
			"letters", c.Domain)
	}
	certificate := certificateForm.FindStringSubmatch(c.Certificate)
	if certificate == nil || certificate[1] != forCloudFront {
		return Console{}, fmt.Errorf("consoleCertificate: %q is not the ARN of a certificate for %s in ACM of %s, "+
			"from where CloudFront takes it", c.Certificate, c.Domain, forCloudFront)
	}
	return c, nil
}
