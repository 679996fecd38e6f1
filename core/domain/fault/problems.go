package fault

import "slices"

// MaxAccepted bounds the accepted values a Detail lists.
const MaxAccepted = 50

// maxDetails bounds what one refusal lists: a request that is wrong in a
// thousand places need not be told of all.
const maxDetails = 100

// Problems gathers everything wrong with one request, so that the caller
// learns it all at once. The zero value is ready for use.
type Problems struct {
	details []Detail
}

// Add records one problem of one field.
func (p *Problems) Add(field string, code Code, format string, args ...any) {
	p.Wrong(field, code, nil, format, args...)
}

// Wrong records one problem of one field with the value that is wrong, nil
// when showing it does not help.
func (p *Problems) Wrong(field string, code Code, value any, format string, args ...any) {
	p.Append(Detail{Field: field, Code: code, Message: Textf(format, args...), Value: value})
}

// Append records problems as they are, such as those with accepted values.
func (p *Problems) Append(details ...Detail) {
	for _, d := range details {
		if len(p.details) == maxDetails {
			return
		}
		if len(d.Accepted) > MaxAccepted {
			d.Accepted = d.Accepted[:MaxAccepted]
		}
		p.details = append(p.details, d)
	}
}

// Join records the problems of another one, too.
func (p *Problems) Join(other Problems) { p.Append(other.details...) }

// Empty reports whether nothing is wrong.
func (p *Problems) Empty() bool { return len(p.details) == 0 }

// Err is nil when nothing is wrong; otherwise an Invalid fault with every
// detail. Its code is the one all details share, or validation_error.
func (p *Problems) Err() error {
	if p.Empty() {
		return nil
	}
	code := p.details[0].Code
	for _, d := range p.details {
		if d.Code != code {
			code = CodeValidationError
		}
	}
	message := p.details[0].Message
	if len(p.details) > 1 {
		message = Textf("%d fields are not valid; see details", len(p.details))
	}
	return &Error{Kind: Invalid, Code: code, Message: message, Details: slices.Clone(p.details)}
}
