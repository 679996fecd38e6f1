package transfer

import "slices"

// Vocabulary is what the products, customers and actions of a site are described with.
type Vocabulary struct {
	Criteria    []SetupCriterion  `yaml:"criteria"`
	Lists       []SetupList       `yaml:"lists"`
	ActionTypes []SetupActionType `yaml:"action_types"`
}

// With returns the site with a vocabulary. What the site describes itself takes the place of
// what has the same id in the vocabulary, or is added to it.
func (in SetupSite) With(v Vocabulary) SetupSite {
	in.Vocabulary = ""
	in.Criteria = over(v.Criteria, in.Criteria, func(c SetupCriterion) int64 { return c.ID })
	in.Lists = over(v.Lists, in.Lists, func(l SetupList) int64 { return l.ID })
	in.ActionTypes = over(v.ActionTypes, in.ActionTypes, func(a SetupActionType) int64 { return a.ID })
	return in
}

// over returns entries with others in the place of those with the same id.
func over[T any](entries, others []T, id func(T) int64) []T {
	all := slices.Clone(entries)
	for _, other := range others {
		if i := slices.IndexFunc(all, func(entry T) bool { return id(entry) == id(other) }); i >= 0 {
			all[i] = other
		} else {
			all = append(all, other)
		}
	}
	return all
}
