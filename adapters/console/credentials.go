package console

func (v *visit) credentialChoices() ([]choice, error) { return nil, nil }

func (v *visit) credentialNames() []string { return nil }
