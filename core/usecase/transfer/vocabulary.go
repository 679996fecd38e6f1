package transfer

import "slices"

// SetupVocabulary is what the products, customers and actions of a site are described with.
type SetupVocabulary struct {
	Criteria    []SetupCriterion  `yaml:"criteria"`
	Lists       []SetupList       `yaml:"lists"`
	ActionTypes []SetupActionType `yaml:"action_types"`
}

// With returns the site with a vocabulary. What the site describes itself takes the place of
// what has the same id in the vocabulary, or is added to it.
func (in SetupSite) With(v SetupVocabulary) SetupSite {
	in.Vocabulary = ""
	in.Criteria = over(v.Criteria, in.Criteria, func(c SetupCriterion) int64 { return c.ID })
	in.Lists = over(v.Lists, in.Lists, func(l SetupList) int64 { return l.ID })
	in.ActionTypes = over(v.ActionTypes, in.ActionTypes, func(a SetupActionType) int64 { return a.ID })
	return in
}

// over returns entries with others in the place of those with the same id. Others of one id
// are all there.
func over[T any](entries, others []T, id func(T) int64) []T {
	all := slices.Clone(entries)
	replaced := map[int64]bool{}
	for _, other := range others {
		i := slices.IndexFunc(entries, func(entry T) bool { return id(entry) == id(other) })
		if i >= 0 && !replaced[id(other)] {
			all[i] = other
		} else {
			all = append(all, other)
		}
		replaced[id(other)] = true
	}
	return all
}
