package settings

import "fmt"

// readSwitches reads the parts that a deployment has only if it asks for them.
func (o *Options) readSwitches(text func(name string) string) (err error) {
	if o.Live, err = parseSwitch("live", text("live")); err != nil {
		return err
	}
	if o.SealedTokens, err = parseTokens(text("tokens")); err != nil {
		return err
	}
	o.Memberships, err = parseSwitch("memberships", text("memberships"))
	return err
}

// parseTokens parses the context value tokens: how the access tokens of single numbers are kept.
func parseTokens(text string) (sealed bool, err error) {
	switch text {
	case "", "secrets":
		return false, nil
	case "kms":
		return true, nil
	}
	return false, fmt.Errorf("tokens=%s: it is kms or secrets", text)
}

// parseSwitch parses a context value that is on or off; off if it is left out.
func parseSwitch(name, text string) (bool, error) {
	switch text {
	case "", "off":
		return false, nil
	case "on":
		return true, nil
	}
	return false, fmt.Errorf("%s=%s: it is on or off", name, text)
}
