package operator

import "testing"

// What is not shown of an address stays with the server that it is for.
func TestAnAddressKeepsWhatIsNotShownOfIt(t *testing.T) {
	const stored = "https://u:5ec4e7@feeds.example/a.xml?key=k"
	for given, want := range map[string]string{
		"https://feeds.example/a.xml":            stored,
		"https://feeds.example/b.xml":            "https://u:5ec4e7@feeds.example/b.xml",
		"https://feeds.example/a.xml?key=l":      "https://u:5ec4e7@feeds.example/a.xml?key=l",
		"https://:new@feeds.example/a.xml":       "https://u:new@feeds.example/a.xml?key=k",
		"https://v@feeds.example/a.xml":          "https://v:5ec4e7@feeds.example/a.xml?key=k",
		"http://feeds.example/a.xml":             "http://feeds.example/a.xml",
		"https://other.example/a.xml":            "https://other.example/a.xml",
		"https://feeds.example:8443/a.xml":       "https://feeds.example:8443/a.xml",
		"https://feeds.example.evil.test/a.xml":  "https://feeds.example.evil.test/a.xml",
		"https://feeds.example@evil.test/a.xml":  "https://feeds.example@evil.test/a.xml",
		"https://feeds.example/%zz":              "https://feeds.example/%zz",
		"https://w:x@feeds.example/a.xml?key=k2": "https://w:x@feeds.example/a.xml?key=k2",
	} {
		if got := (Location{URL: stored}).With(given); got != (Location{URL: want}) {
			t.Errorf("with %s it is %+v, not %s", given, got, want)
		}
	}
	for _, before := range []Location{{}, {Folder: "nantes"}, {URL: "%"}} {
		if got := before.With("https://feeds.example/a.xml"); got.URL != "https://feeds.example/a.xml" {
			t.Errorf("%+v becomes %+v", before, got)
		}
	}
	if got := (Location{URL: "https://key@feeds.example/a"}).With("https://feeds.example/b"); got.URL != "https://key@feeds.example/b" {
		t.Errorf("a user without a password becomes %s", got.URL)
	}
}
