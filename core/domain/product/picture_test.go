package product_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func TestI1_I2_LimitsOfAPictureToTheUnit(t *testing.T) {
	for _, is := range []struct {
		width, height int
		size          int64
		code          fault.Code
	}{
		{800, 600, 1, ""}, {799, 600, 1, fault.CodeImageTooSmall}, {800, 1, 1, ""},
		{10_000, 5_000, 1, ""}, {50_000_000, 1, 1, ""}, {50_000_001, 1, 1, fault.CodeImageTooLarge}, {1 << 31, 1 << 31, 1, fault.CodeImageTooLarge},
		{800, 600, 20 << 20, ""}, {800, 600, 20<<20 + 1, fault.CodeFileTooLarge}, {800, 600, 0, fault.CodeRequired},
	} {
		var problems fault.Problems
		product.CheckPictureFile(is.size, &problems)
		product.CheckPictureSize(is.width, is.height, &problems)
		got := fault.Code("")
		if err := problems.Err(); err != nil {
			got = fault.From(err).Code
		}
		if got != is.code {
			t.Errorf("%d × %d, %d bytes: %q, want %q", is.width, is.height, is.size, got, is.code)
		}
	}
}

func ids(pictures []product.Picture) []product.PictureID {
	var all []product.PictureID
	for _, q := range pictures {
		all = append(all, q.ID)
	}
	return all
}

// I8: a picture that is moved is where it was sent, and the others keep their
// order.
func TestI8_MovingOnePictureKeepsTheOrderOfTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p product.Product
		for n := range rapid.IntRange(1, 8).Draw(t, "pictures") {
			p.Pictures = append(p.Pictures, product.Picture{ID: product.PictureID(n + 1), Visibility: product.Public})
		}
		before := ids(p.Pictures)
		id := rapid.SampledFrom(before).Draw(t, "id")
		to := rapid.IntRange(1, len(before)).Draw(t, "to")
		var problems fault.Problems
		after := p.ChangePicture(id, product.PictureChange{Position: opt.Of(to)}, &problems)
		if problems.Err() != nil || after.Pictures[to-1].ID != id {
			t.Fatalf("%d is not at %d of %v", id, to, ids(after.Pictures))
		}
		if !slices.Equal(ids(after.WithoutPicture(id).Pictures), ids(p.WithoutPicture(id).Pictures)) {
			t.Fatalf("%v became %v", before, ids(after.Pictures))
		}
		if !slices.Equal(ids(p.Pictures), before) {
			t.Fatal("the original changed")
		}
	})
}

func TestCopiesAreNeverWiderThanThePicture(t *testing.T) {
	for width, want := range map[int][]int{800: {320}, 801: {320, 800}, 1600: {320, 800}, 1601: {320, 800, 1600}, 5000: {320, 800, 1600}} {
		if got := (product.Picture{Width: width}).DerivedWidths(); !slices.Equal(got, want) {
			t.Errorf("a picture %d wide is made %v wide", width, got)
		}
	}
}

func TestI6_AFileIsKnownAsItWasSentAndAsItIsServed(t *testing.T) {
	p := product.Product{Pictures: []product.Picture{
		{ID: 1, Visibility: product.Private, Sent: "s1", SHA256: "k1"}, {ID: 2, Visibility: product.Public, Sent: "s2", SHA256: "k2"},
	}}
	for _, c := range []struct {
		sent       string
		visibility product.Visibility
		want       product.PictureID
	}{{"s2", product.Public, 2}, {"k2", product.Public, 2}, {"s1", product.Private, 1}, {"k1", product.Private, 1}, {"k1", product.Public, 0}, {"s2", product.Private, 0}, {"k3", product.Public, 0}} {
		if q, found := p.SentBefore(product.Picture{Sent: c.sent, Visibility: c.visibility}); q.ID != c.want || found != (c.want != 0) {
			t.Errorf("%+v is %d, %t", c, q.ID, found)
		}
	}
}
