package httpapi

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

func TestTagsAreReadAsRFC9110Says(t *testing.T) {
	strong := func(texts ...string) (tags []entityTag) {
		for _, text := range texts {
			tags = append(tags, entityTag{opaque: text})
		}
		return tags
	}
	for text, want := range map[string][]entityTag{
		``: nil, `"a"`: strong("a"), ` "a" , "b","c"`: strong("a", "b", "c"), `""`: strong(""),
		`W/"a"`: {{weak: true, opaque: "a"}}, `W/"a", "a"`: {{weak: true, opaque: "a"}, {opaque: "a"}},
		`"a,b", "c"`: strong("a,b", "c"), `,, "a",`: strong("a"), `"*"`: strong("*"),
		`a`: nil, `a, "b"`: strong("b"), `"a`: nil, `w/"a"`: nil, `'a', "b"`: strong("b"), `*, "a"`: strong("a"),
	} {
		if got, all := readTags([]string{text}); !reflect.DeepEqual(got, want) || all {
			t.Errorf("%s is %v, %t, want %v", text, got, all, want)
		}
	}
	for _, text := range []string{"*", " * "} {
		if _, all := readTags([]string{text}); !all {
			t.Errorf("%q is not a star", text)
		}
	}
	if got, _ := readTags([]string{`"a"`, `W/"b"`}); len(got) != 2 {
		t.Errorf("two lines are %v", got)
	}
}

func TestEveryTagIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := kernel.Version(rapid.Int64Range(1, 1<<62).Draw(t, "version"))
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		tag := tagOf(version, body)
		others := strings.Repeat(`"x", `, rapid.IntRange(0, 3).Draw(t, "others"))
		holds := func(noneMatch ...string) bool {
			found, ok := known(noneMatch, []string{tag})
			return ok && found == tag
		}
		if !holds(others+tag) || !holds(others, "W/"+tag) || holds(others) {
			t.Fatalf("%s is not known as itself", tag)
		}
		got := ifMatch(http.Header{"If-Match": {others + tag}})
		if want := (kernel.IfMatch{Given: true, Versions: []kernel.Version{version}}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is %+v", tag, got)
		}
		if got := ifMatch(http.Header{"If-Match": {"W/" + tag}}); len(got.Versions) > 0 || !got.Given {
			t.Fatalf("a weak tag is %+v", got)
		}
		if tag == tagOf(version+1, body) || len(body) > 0 && tag == tagOf(version, append(body, 1)) {
			t.Fatalf("%s is the tag of two states", tag)
		}
	})
}

func FuzzTags(f *testing.F) {
	for _, seed := range []string{`"a"`, `W/"1-2", *`, `",`, `W/`, `"1-`, `, ,"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tags, all := readTags([]string{text})
		if all && tags != nil || len(tags) > len(text) {
			t.Errorf("%q is %v and %t", text, tags, all)
		}
		for _, tag := range tags {
			if !strings.Contains(text, fmt.Sprintf(`"%s"`, tag.opaque)) {
				t.Errorf("%q has no %q", text, tag.opaque)
			}
		}
	})
}
