package e2e_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// picture is a JPEG file whose content depends on a seed.
func picture(width, height int, seed ...uint8) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	c := color.RGBA{R: 200, G: 120, B: 40, A: 255}
	for i, s := range seed {
		c = color.RGBA{R: c.R + s*7, G: c.G + s, B: c.B + uint8(i) + s*3, A: 255}
	}
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// held puts into a JPEG file how the camera was held, and where it was.
func held(file []byte, orientation byte) []byte {
	exif := "\xFF\xE1\x00\x4AExif\x00\x00II*\x00\x08\x00\x00\x00\x02\x00" +
		"\x12\x01\x03\x00\x01\x00\x00\x00" + string(orientation) + "\x00\x00\x00" + "\x25\x88\x04\x00\x01\x00\x00\x00\x26\x00\x00\x00" + "\x00\x00\x00\x00" +
		"\x01\x00\x00\x00\x01\x00\x04\x00\x00\x00\x02\x03\x00\x00\x00\x00\x00\x00" + "GPS-SECRET"
	return slices.Concat(file[:2], []byte(exif), file[2:])
}

// blank is a PNG file of nothing, which is small however large the image.
func blank(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// form is a multipart body of files under field names.
func form(files ...any) (body []byte, contentType string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(files); i += 3 {
		header := textproto.MIMEHeader{"Content-Type": {"application/octet-stream"}}
		header.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename=%q`, files[i], files[i+1]))
		part, err := w.CreatePart(header)
		if err != nil {
			panic(err)
		}
		if _, err := part.Write(files[i+2].([]byte)); err != nil {
			panic(err)
		}
	}
	w.Close()
	return b.Bytes(), w.FormDataContentType()
}

// upload sends files to a product, given as field, name and content.
func (c *client) upload(id int64, visibility string, files ...any) answer {
	c.t.Helper()
	body, contentType := form(files...)
	return c.send("POST", product(id, "/pictures/", visibility), string(body), "Content-Type", contentType)
}

// add uploads one picture, and returns its id.
func (c *client) add(id int64, visibility string, file []byte) string {
	c.t.Helper()
	added := c.upload(id, visibility, "file", "photo.jpg", file).is(204).empty()
	picture := added.header.Get("X-Picture-Id")
	if want := c.w.address(product(id, "/pictures/", picture)); added.header.Get("Location") != want {
		c.t.Errorf("Location is %q, want %q", added.header.Get("Location"), want)
	}
	return picture
}

func (c *client) pictures(id int64) []object {
	c.t.Helper()
	var all []object
	for _, record := range c.get(product(id, "/pictures")).is(200).list("data") {
		all = append(all, record.(object))
	}
	return all
}

// keys are those of everything that is kept.
func (w *world) keys(t testing.TB) []string {
	t.Helper()
	var keys []string
	for blob, err := range w.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, blob.Key)
	}
	return keys
}

func TestI4_I7_I9_APictureIsAddedAndSeen(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		before := c.get(product(id)).equals("data.photos_count", 0).equals("data.cover_photo_url", nil)
		told := c.ledger()
		file := held(picture(900, 600), 1)
		first := c.add(id, "public", file)
		told.tells(fmt.Sprint("PRODUCT_UPDATE ", id))
		private := c.add(id, "private", file)
		second := c.add(id, "public", picture(1700, 900, 1))
		told.tells(fmt.Sprint("PRODUCT_UPDATE ", id), fmt.Sprint("PRODUCT_UPDATE ", id))

		after := c.get(product(id, "?fetch=products_photos")).equals("data.photos_count", 2)
		if after.text("data.last_modified") <= before.text("data.last_modified") {
			t.Error("last_modified did not move")
		}
		photos := c.pictures(id)
		if len(photos) != 3 {
			t.Fatalf("there are %v", photos)
		}
		for n, want := range []string{first, private, second} {
			if fmt.Sprintf("%.0f", photos[n]["id"]) != want || photos[n]["position"] != float64(n+1) {
				t.Errorf("picture %d is %v, want %s", n, photos[n], want)
			}
		}
		if after.text("data.cover_photo_url") != photos[0]["url"] || after.text("data.products_photos.0.url") != photos[0]["url"] {
			t.Error("the first public picture is not the cover")
		}
		got := w.stranger(t).get(photos[0]["url"].(string)).is(200)
		sum := sha256.Sum256(got.body)
		if hex.EncodeToString(sum[:]) != photos[0]["sha256"] || float64(len(got.body)) != photos[0]["size"] || photos[0]["content_type"] != "image/jpeg" {
			t.Errorf("%v is not about what its url answers with", photos[0])
		}
		if bytes.Contains(got.body, []byte("SECRET")) || bytes.Contains(got.body, []byte("Exif")) {
			t.Error("the picture tells where it was taken")
		}
		c.get(product(id, "/pictures/", first)).is(200).equals("data.url", photos[0]["url"])
		c.get(product(id, "/pictures/999999")).refused(404, "not_found")
		c.search(object{"model": after.text("data.model")}, "?fetch=products_photos").is(200).equals("data.0.photos_count", 2).equals("data.0.products_photos.2.width", 1700)
	})
}

func TestI6_TheSameFileIsOnePicture(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id, other := c.create(nil), c.create(nil)
		file := picture(800, 600, 2)
		first := c.add(id, "public", file)
		before, told := c.whole(id), c.ledger()
		if again := c.add(id, "public", file); again != first {
			t.Errorf("the same file is picture %s and %s", first, again)
		}
		told.tells()
		if fmt.Sprint(c.whole(id)) != fmt.Sprint(before) {
			t.Error("the product changed")
		}
		if hidden := c.add(id, "private", file); hidden == first {
			t.Error("a private picture is the public one")
		}
		if elsewhere := c.add(other, "public", file); elsewhere == first {
			t.Error("another product's picture is the same one")
		}

		// Also when they are sent at once.
		at, told := c.create(nil), c.ledger()
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { c.upload(at, "public", "file", "a.jpg", file).is(204) })
		}
		all.Wait()
		told.tells(fmt.Sprint("PRODUCT_UPDATE ", at))
		if got := c.pictures(at); len(got) != 1 {
			t.Errorf("there are %d pictures", len(got))
		}
	})
}

func TestI1_I3_WhatCanBeAPicture(t *testing.T) {
	t.Parallel()
	c := ownWorld(t).network(t)
	id := c.create(nil)
	told := c.ledger()
	padded := func(size int) []byte {
		return append(picture(800, 10, 3), make([]byte, size-len(picture(800, 10, 3)))...)
	}
	for _, is := range []struct {
		name string
		file []byte
		code string
	}{
		{"799 pixels wide", picture(799, 10), "image_too_small"},
		{"800 pixels wide", picture(800, 10), ""},
		{"801 pixels wide", picture(801, 10), ""},
		{"wide enough once it is upright", held(picture(600, 900), 6), ""},
		{"too narrow once it is upright", held(picture(900, 600), 8), "image_too_small"},
		{"a byte below 20 MiB", padded(20<<20 - 1), ""},
		{"20 MiB", padded(20 << 20), ""},
		{"a byte above 20 MiB", padded(20<<20 + 1), "file_too_large"},
		{"a pixel below 50 megapixels", blank(7_142_857, 7), ""},
		{"50 megapixels", blank(10_000, 5_000), ""},
		{"a pixel above 50 megapixels", blank(16_666_667, 3), "image_too_large"},
		{"a bomb", blank(12_000, 12_000), "image_too_large"},
		{"not an image", []byte("%PDF-1.7 of a whole house"), "unsupported_image"},
		{"a GIF", append([]byte("GIF89a"), make([]byte, 100)...), "unsupported_image"},
		{"half an image", picture(800, 600)[:2000], "unsupported_image"},
		{"empty", nil, "required"},
	} {
		got := c.upload(id, "public", "file", "photo.gif", is.file)
		if is.code != "" {
			got.refused(422, is.code, "file")
			continue
		}
		if got.status != 204 {
			t.Errorf("%s: %s", is.name, got)
			continue
		}
		told.news()
		c.delete(product(id, "/pictures/", got.header.Get("X-Picture-Id"))).is(204)
		told.news()
	}
	told.tells()
}

func TestI1_AnUprightPictureIsServedUpright(t *testing.T) {
	t.Parallel()
	c := ownWorld(t).network(t)
	id := c.create(nil)
	c.add(id, "public", held(picture(600, 900), 6))
	photo := c.pictures(id)[0]
	served, err := jpeg.DecodeConfig(bytes.NewReader(c.get(photo["url"].(string)).is(200).body))
	if err != nil || served.Width != 900 || served.Height != 600 || photo["width"] != 900.0 || photo["height"] != 600.0 {
		t.Errorf("%+v (%v), %v", served, err, photo)
	}
}

func TestI2_I5_TheFormOfAnUpload(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	id := c.create(nil)
	file := picture(800, 600)
	c.upload(id, "public", "photo", "a.jpg", file).refused(422, "required", "file")
	c.upload(id, "public").refused(422, "required", "file")
	c.upload(id, "public", "file", "a.jpg", file, "file", "b.jpg", picture(800, 600, 1)).refused(422, "ambiguous_field", "file")
	c.post(product(id, "/pictures/public"), object{"file": "x"}).refused(415, "unsupported_media_type")
	c.send("POST", product(id, "/pictures/public"), "x", "Content-Type", "image/jpeg").refused(415, "unsupported_media_type")
	c.send("POST", product(id, "/pictures/public"), "x", "Content-Type", "multipart/form-data").refused(422, "invalid_format")
	c.send("POST", product(id, "/pictures/public"), "x", "Content-Type", "multipart/form-data; boundary=y").refused(422, "required", "file")
	cut, cutType := form("file", "a.jpg", file)
	c.send("POST", product(id, "/pictures/public"), string(cut[:len(cut)/2]), "Content-Type", cutType).refused(422, "invalid_format")
	c.send("POST", "/products", "x", "Content-Type", "multipart/form-data; boundary=y").refused(415, "unsupported_media_type")
	// Where comes before what.
	c.post("/products/999999/pictures/public", object{}).refused(404, "not_found")
	c.upload(999999, "public", "file", "a.txt", []byte("x")).refused(404, "not_found")
	c.patch("/products/999999/pictures/1", object{"position": "x"}).refused(404, "not_found")

	got := c.upload(id, "public", "title", "t", []byte("x"), "file", "a.jpg", file).is(204)
	if got.header.Get("X-Ignored-Fields") != "title" {
		t.Errorf("X-Ignored-Fields is %q", got.header.Get("X-Ignored-Fields"))
	}

	// The whole form, to the byte.
	for _, over := range []int{0, 1} {
		around, _ := form("file", "a.jpg", []byte{})
		body, contentType := form("file", "a.jpg", make([]byte, 25<<20-len(around)+over))
		got := c.send("POST", product(id, "/pictures/public"), string(body), "Content-Type", contentType)
		if over == 0 {
			got.refused(422, "file_too_large", "file")
		} else {
			got.refused(413, "payload_too_large")
		}
	}

	// In chunks, without saying how long it will be.
	body, contentType := form("file", "a.jpg", picture(900, 600, 9))
	r := c.request("POST", product(id, "/pictures/public"), "", "Content-Type", contentType)
	r.Body, r.ContentLength = io.NopCloser(struct{ io.Reader }{bytes.NewReader(body)}), -1
	c.do(r).is(204)
}

func TestHostileFileNamesGoNowhere(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	id := c.create(nil)
	for n, name := range []string{"../../../etc/passwd", `..\..\windows\system32`, "/etc/passwd", "a\x00b.jpg", "%2e%2e%2fx.jpg", "<script>.svg", strings.Repeat("x", 5000)} {
		c.upload(id, "public", "file", name, picture(800, 20, uint8(n+1))).is(204)
	}
	for _, key := range w.keys(t) {
		if !regexp.MustCompile(`^1/\d+/\d+-[0-9a-f]{64}(-\d+)?$`).MatchString(key) {
			t.Errorf("%q is a key", key)
		}
	}
	for _, photo := range c.pictures(id) {
		if !regexp.MustCompile(`^/photos/1/\d+/\d+-[0-9a-f]{16}\.jpg$`).MatchString(strings.TrimPrefix(photo["url"].(string), w.url)) {
			t.Errorf("%q is a url", photo["url"])
		}
	}
	for _, path := range []string{"/photos/1/1/../../owner", "/photos/1/1/%2e%2e%2f%2e%2e%2fowner", "/photos/1/1/1-", "/photos/x/1/1-a.jpg", "/photos/1/99999999999999999999/1-a.jpg", "/photos/1/1/-1-a.jpg", "/photos/1/1/a"} {
		r := c.request("GET", "/nowhere", nil)
		r.URL.Path, r.URL.RawPath = path, ""
		c.do(r).is(404)
	}
}

func TestI8_PicturesAreMovedLabelledAndHidden(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		var ids []string
		for n := range uint8(3) {
			ids = append(ids, c.add(id, "public", picture(800, 20, n+1)))
		}
		told := c.ledger()
		order := func(want ...int) {
			t.Helper()
			var got []string
			for _, photo := range c.pictures(id) {
				got = append(got, fmt.Sprintf("%.0f", photo["id"]))
			}
			for n, place := range want {
				if len(got) != len(want) || got[n] != ids[place] {
					t.Fatalf("the order is %v, want %v of %v", got, want, ids)
				}
			}
		}
		change := func(n int, body object) answer {
			t.Helper()
			return c.patch(product(id, "/pictures/", ids[n]), body)
		}
		changed := fmt.Sprint("PRODUCT_UPDATE ", id)

		change(2, object{"position": 1}).is(204).empty()
		order(2, 0, 1)
		told.tells(changed)
		cover := c.get(product(id)).text("data.cover_photo_url")
		change(2, object{"visibility": "private", "label": "  Façade\u0000"}).refused(422, "invalid_format", "label")
		change(2, object{"visibility": "private", "label": "Façade"}).is(204)
		told.tells(changed)
		order(2, 0, 1)
		c.get(product(id)).equals("data.photos_count", 2)
		if c.get(product(id)).text("data.cover_photo_url") == cover {
			t.Error("a private picture is the cover")
		}
		w.stranger(t).get(cover).refused(404, "not_found")

		before := c.get(product(id)).text("data.last_modified")
		for _, same := range []object{{}, {"position": 1}, {"visibility": "private"}, {"label": "Façade"}, {"position": 1, "visibility": "private", "label": "Façade"}} {
			change(2, same).is(204)
		}
		told.tells()
		if c.get(product(id)).text("data.last_modified") != before {
			t.Error("nothing changed, but last_modified did")
		}
		for field, bad := range map[string]any{"position": 0, "visibility": "secret", "label": strings.Repeat("x", 256)} {
			got := change(0, object{field: bad})
			if got.status != 422 || !strings.Contains(string(got.body), `"field":"`+field+`"`) {
				t.Error(got)
			}
		}
		change(0, object{"position": 4}).refused(422, "out_of_range", "position")
		change(0, object{"position": nil}).refused(422, "out_of_range", "position")
		change(0, object{"visibility": nil}).refused(422, "invalid_format", "visibility")
		told.tells()
		change(2, object{"visibility": "public", "label": nil, "position": 3}).is(204)
		order(0, 1, 2)
		told.tells(changed)
		w.stranger(t).get(cover).is(200)

		c.delete(product(id, "/pictures/", ids[1])).is(204).empty()
		told.tells(changed)
		c.delete(product(id, "/pictures/", ids[1])).refused(404, "not_found")
		change(1, object{"position": 1}).refused(404, "not_found")
		told.tells()
		c.get(product(id)).equals("data.photos_count", 2)
	})
}

func TestI12_WhoSeesPrivatePictures(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		c.add(id, "private", picture(800, 20, 1))
		hidden := c.add(id, "private", picture(800, 20, 2))
		shown := c.add(id, "public", picture(800, 20, 3))
		site := w.website(t)
		photos := site.get(product(id, "?fetch=products_photos")).is(200).equals("data.photos_count", 1).list("data.products_photos")
		if len(photos) != 1 || fmt.Sprintf("%.0f", photos[0].(object)["id"]) != shown || photos[0].(object)["position"] != 1.0 {
			t.Errorf("a website sees %v", photos)
		}
		if all := site.pictures(id); len(all) != 1 {
			t.Errorf("a website lists %v", all)
		}
		site.get(product(id, "/pictures/", hidden)).refused(404, "not_found")
		site.upload(id, "public", "file", "a.jpg", picture(800, 20, 4)).refused(403, "pack_missing")
		site.delete(product(id, "/pictures/", shown)).refused(403, "pack_missing")
		w.rival(t).upload(id, "public", "file", "a.jpg", picture(800, 20, 4)).refused(404, "not_found")
		w.rival(t).get(product(id, "/pictures")).refused(404, "not_found")
		w.rival(t).delete(product(id, "/pictures/", shown)).refused(404, "not_found")
		if got := c.pictures(id); len(got) != 3 {
			t.Errorf("there are %v", got)
		}
	})
}

func TestPublicURLsAreStableAndCacheable(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, anybody := w.network(t), w.stranger(t)
		id := c.create(nil)
		number := c.add(id, "public", picture(1000, 500, 7))
		photo := c.pictures(id)[0]
		url := photo["url"].(string)
		got := anybody.get(url).is(200)
		tag := got.header.Get("ETag")
		if tag == "" || got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%v", got.header)
		}
		anybody.get(url, "If-None-Match", tag).is(304).empty()
		anybody.get(url, "If-None-Match", `"other", W/`+tag).is(304).empty()
		anybody.get(url, "If-None-Match", `"other"`).is(200)
		if head := anybody.send("HEAD", url, nil).is(200).empty(); head.header.Get("ETag") != tag || head.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
			t.Errorf("%v", head.header)
		}
		if part := anybody.get(url, "Range", "bytes=2-11").is(206); !bytes.Equal(part.body, got.body[2:12]) {
			t.Error("a part is another part")
		}
		anybody.send("POST", url, nil).refused(405, "method_not_allowed")

		sizes := photo["sizes"].(list)
		if len(sizes) != 2 {
			t.Fatalf("a picture 1000 pixels wide has the sizes %v", sizes)
		}
		for n, width := range []int{320, 800} {
			size := sizes[n].(object)
			made := anybody.get(size["url"].(string)).is(200)
			config, err := jpeg.DecodeConfig(bytes.NewReader(made.body))
			if err != nil || config.Width != width || config.Height != width/2 || size["width"] != float64(width) {
				t.Errorf("%v: %+v (%v)", size, config, err)
			}
			if made.header.Get("ETag") == tag {
				t.Error("a copy has the tag of its original")
			}
			anybody.get(size["url"].(string), "If-None-Match", made.header.Get("ETag")).is(304)
		}
		anybody.get(strings.Replace(sizes[0].(object)["url"].(string), "-320.", "-1600.", 1)).refused(404, "not_found")
		anybody.get(strings.Replace(sizes[0].(object)["url"].(string), "-320.", "-321.", 1)).refused(404, "not_found")
		anybody.get(strings.Replace(url, ".jpg", ".png", 1)).refused(404, "not_found")

		c.patch(product(id, "/pictures/", number), object{"label": "Salon", "position": 1}).is(204)
		if c.pictures(id)[0]["url"] != url {
			t.Error("the url of a picture changed")
		}
		c.delete(product(id, "/pictures/", number)).is(204)
		anybody.get(url, "If-None-Match", tag).refused(404, "not_found")
		anybody.get(sizes[0].(object)["url"].(string)).refused(404, "not_found")
		for _, key := range w.keys(t) {
			if strings.HasPrefix(key, fmt.Sprintf("1/%d/", id)) {
				t.Errorf("%s is kept", key)
			}
		}
		other := c.create(nil)
		c.add(other, "public", picture(1000, 500, 7))
		url = c.pictures(other)[0]["url"].(string)
		c.delete(product(other)).is(204)
		anybody.get(url).refused(404, "not_found")
	})
}

func TestPrivateURLsAreSignedAndExpire(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, standingStill(time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)))
	c, anybody := w.network(t), w.stranger(t)
	id := c.create(nil)
	c.add(id, "private", picture(1000, 500, 7))
	c.add(id, "private", picture(1000, 500, 8))
	urls := func() (whole, copied, other string) {
		photos := c.get(product(id, "?fetch=products_photos")).is(200).list("data.products_photos")
		first := photos[0].(object)
		return first["url"].(string), first["sizes"].(list)[0].(object)["url"].(string), photos[1].(object)["url"].(string)
	}
	whole, copied, other := urls()
	for _, url := range []string{whole, copied} {
		got := anybody.get(url).is(200)
		if got.header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%v", got.header)
		}
		bare, query, _ := strings.Cut(url, "?")
		_, foreign, _ := strings.Cut(other, "?")
		expires := regexp.MustCompile(`expires=\d+`)
		for name, tampered := range map[string]string{
			"without a signature": bare, "another's signature": bare + "?" + foreign, "a later expiry": bare + "?" + expires.ReplaceAllString(query, "expires=99999999999"),
			"no expiry": bare + "?" + expires.ReplaceAllString(query, ""), "a cut signature": url[:len(url)-1],
		} {
			if got := anybody.get(tampered); got.status != 404 {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
	w.clock.advance(15*time.Minute - time.Second)
	anybody.get(whole).is(200)
	anybody.get(copied).is(200)
	// A record that was read before is not read from memory.
	later, _, _ := urls()
	w.clock.advance(time.Second)
	anybody.get(whole).refused(403, "forbidden")
	anybody.get(copied).refused(403, "forbidden")
	anybody.get(later).is(200)
}

func TestI10_AHundredPicturesAreEnough(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	id := c.create(nil)
	for n := range uint8(100) {
		c.add(id, "public", picture(800, 10, n, n/2))
	}
	told := c.ledger()
	c.upload(id, "public", "file", "a.jpg", picture(800, 10, 101, 3)).refused(422, "out_of_range", "file")
	c.upload(id, "public", "file", "a.jpg", picture(800, 10, 50, 25)).is(204) // it is there already
	told.tells()
	c.get(product(id)).equals("data.photos_count", 100)
}

func TestCopiesAreMadeAfterTheAnswer(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	id := c.create(nil)
	c.add(id, "public", picture(1000, 500, 1))
	if got := w.keys(t); len(got) != 1 {
		t.Fatalf("%v are kept before anybody makes copies", got)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Listing.MakeCopies(ctx, func(err error) { t.Error(err) })
	}()
	for deadline := time.Now().Add(20 * time.Second); len(w.keys(t)) < 3; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("only %v are kept", w.keys(t))
		}
	}
	stop()
	<-ended
	// Without them, who asks first has them made, once.
	for _, key := range w.keys(t)[1:] {
		if err := w.blobs.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	url := c.pictures(id)[0]["sizes"].(list)[0].(object)["url"].(string)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { w.stranger(t).get(url).is(http.StatusOK) })
	}
	all.Wait()
}

func TestG24_AnUploadCanBeRepeated(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		told, key := c.ledger(), rand.Text()
		again := func(visibility string, files ...any) answer {
			t.Helper()
			body, contentType := form(files...) // each with a boundary of its own
			return c.send("POST", product(id, "/pictures/", visibility), string(body), "Content-Type", contentType, "Idempotency-Key", key)
		}
		file := picture(800, 20, 1)
		first := again("public", "file", "a.jpg", file).is(204).anew()
		second := again("public", "file", "b.jpg", file).repeats(first)
		if second.header.Get("X-Picture-Id") != first.header.Get("X-Picture-Id") || first.header.Get("X-Picture-Id") == "" {
			t.Errorf("%v is another picture than %v", second.header, first.header)
		}
		again("public", "file", "a.jpg", picture(800, 20, 2)).refused(422, "idempotency_key_reused", "Idempotency-Key")
		told.tells(fmt.Sprint("PRODUCT_UPDATE ", id))

		// Also of a file that was there before, and whatever became of it since.
		key = rand.Text()
		known := again("public", "file", "a.jpg", file).is(204).anew()
		c.delete(product(id, "/pictures/", first.header.Get("X-Picture-Id"))).is(204)
		again("public", "file", "a.jpg", file).repeats(known)
		if got := c.pictures(id); len(got) != 0 {
			t.Errorf("there are %v", got)
		}
	})
}

func TestG22_PicturesAreChangedUnderConditions(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		path := product(id, "/pictures/", c.add(id, "public", picture(800, 20, 1)))
		read := c.get(path).is(200).tag()
		label := func(text, tag string) answer {
			t.Helper()
			return c.send("PATCH", path, object{"label": text}, "If-Match", tag)
		}
		label("a", read).is(204)
		label("b", read).refused(412, "precondition_failed")
		c.send("DELETE", path, nil, "If-Match", read).refused(412, "precondition_failed")
		written := label("b", c.get(product(id, "/pictures")).tag()).is(204).tag()
		label("c", c.get(product(id)).tag()).is(204)
		c.send("DELETE", path, nil, "If-Match", written).refused(412, "precondition_failed")
		c.send("DELETE", path, nil, "If-Match", c.get(path).tag()).is(204)
	})
}
