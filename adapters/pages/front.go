package pages

// frontPage is what the page at / shows.
type frontPage struct {
	// Called is how many operations there are.
	Called int
	First  []*operation
	Token  string
}

func (s *site) front() frame {
	p := frontPage{Called: s.called()}
	if s.Demo != nil {
		for _, call := range s.First {
			for _, o := range s.operations {
				if o.Method == call.Method && o.Path == call.Path {
					p.First = append(p.First, o)
				}
			}
		}
		samples, _ := s.sampler.samples(s.requests.first(s.token())) // templates that were parsed write any request
		p.Token = samples[0].Text
	}
	return frame{site: s, Title: s.document.Info.Title, Page: p}
}
