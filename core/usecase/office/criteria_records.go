package office

// CriteriaResource is the definition of a criterion.
type CriteriaResource struct {
	ID                       int64    `json:"id"`
	Key                      string   `json:"key"`
	Type                     string   `json:"type" enum:"UNIQUE,NUMBER,FLAG,TEXT,MULTIPLE,DATE"`
	Label                    string   `json:"label"`
	Description              *string  `json:"description"`
	IsActive                 bool     `json:"is_active"`
	IsCustom                 bool     `json:"is_custom" doc:"created by the site"`
	IsLabelCustom            bool     `json:"is_label_custom"`
	IsValuesCustom           bool     `json:"is_values_custom"`
	IsRequiredForPublication bool     `json:"is_required_for_publication"`
	IsSearchable             bool     `json:"is_searchable"`
	IsPrivate                bool     `json:"is_private" doc:"hidden from credentials that only feed websites"`
	Unit                     *string  `json:"unit"`
	Min                      *float64 `json:"min"`
	Max                      *float64 `json:"max"`
	Decimals                 *int     `json:"decimals"`
	MaxLength                *int     `json:"max_length"`
	IsFulltext               bool     `json:"is_fulltext"`
	Group                    *string  `json:"group"`
	PropertyTypes            []string `json:"property_types" doc:"codes of TypeBien it applies to; empty is all"`
	Position                 int      `json:"position"`
}

// CriterionDetail is a definition with its possible values.
type CriterionDetail struct {
	CriteriaResource
	Values []ReferentialValueState `json:"values"`
}

// ReferentialValue is a value of a referential or list; model is the code to
// send.
type ReferentialValue struct {
	ID    int64  `json:"id"`
	Model string `json:"model" doc:"the code to send"`
	Label string `json:"label"`
}

// ReferentialValueState is a value that reports whether it can still be chosen.
type ReferentialValueState struct {
	ReferentialValue
	IsActive bool `json:"is_active"`
}

// ListResource names a list of values.
type ListResource struct {
	ID    int64  `json:"id"`
	Key   string `json:"key"`
	Label string `json:"label"`
}

// ReadCriterion names a criterion by key or numeric id.
type ReadCriterion struct {
	Criteria string `path:"criteriaId" doc:"key, or numeric id"`
}

// ReadCriterionValues is GET /criterias/product/{criteriaId}/values.
type ReadCriterionValues struct {
	Criteria        string `path:"criteriaId" doc:"key, or numeric id"`
	IncludeInactive bool   `query:"include_inactive"`
}

// ReadListValues is GET /configs/listes/{listeId}/values.
type ReadListValues struct {
	List            int64 `path:"listeId"`
	IncludeInactive bool  `query:"include_inactive"`
}
