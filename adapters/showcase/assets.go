package showcase

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"image/color"
	"math"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

//go:embed assets
var embedded embed.FS

// assets are the files that pages need: the style, the scripts and the fonts. Their address changes with their content, so that
// browsers keep them for ever.
type assets struct {
	files map[string][]byte
	// prefix is the folder of their addresses.
	prefix string
}

// newAssets returns the embedded files, with the accent in the style.
func newAssets(accent string) (assets, error) {
	colours, err := accentStyle(accent)
	if err != nil {
		return assets{}, err
	}
	a := assets{files: map[string][]byte{}}
	sum := sha256.New()
	// What is embedded can be read, and a hash takes all that is written.
	entries, _ := embedded.ReadDir("assets")
	for _, e := range entries {
		content, _ := embedded.ReadFile("assets/" + e.Name())
		if e.Name() == "style.css" {
			content = append(content, colours...)
		}
		a.files[e.Name()] = content
		_, _ = sum.Write(content)
	}
	a.prefix = "/assets/" + hex.EncodeToString(sum.Sum(nil)[:6]) + "/"
	return a, nil
}

// serve answers with an asset. One of an earlier version is asked for by pages that were read before: they get the present one.
func (a assets) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	content, found := a.files[name]
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", cmp.Or(mime.TypeByExtension(path.Ext(name)), map[string]string{".woff2": "font/woff2"}[path.Ext(name)]))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	if strings.HasPrefix(r.URL.Path, a.prefix) {
		w.Header().Set("Cache-Control", forever)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// leastContrast is that of text by WCAG 2.2 AA.
const leastContrast = 4.5

// The papers of both schemes, which the accent is read on.
var (
	lightShade = color.RGBA{0xf6, 0xf4, 0xef, 0xff}
	darkShade  = color.RGBA{0x21, 0x1f, 0x1c, 0xff}
	black      = color.RGBA{A: 0xff}
	white      = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// accentStyle returns the style that sets an accent: darkened on light paper, and lightened on dark paper, until it can be read.
func accentStyle(accent string) (string, error) {
	if accent == "" {
		return "", nil
	}
	var c color.RGBA
	if n, err := fmt.Sscanf(accent, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil || n != 3 || len(accent) != 7 {
		return "", fmt.Errorf("the accent %q must be a colour such as #1f5f4a", accent)
	}
	onLight, onDark := readable(c, lightShade, black), readable(c, darkShade, white)
	return fmt.Sprintf("\n:root { --accent: %s; --accent-ink: #fff }\n@media (prefers-color-scheme: dark) { :root { --accent: %s; --accent-ink: #161513 } }\n", hexOf(onLight), hexOf(onDark)), nil
}

// readable returns a colour, mixed with another until text in it can be read on paper.
func readable(c, paper, with color.RGBA) color.RGBA {
	mixed := c
	for share := 0.0; contrast(mixed, paper) < leastContrast && share <= 1; share += 0.02 {
		mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
		mixed = color.RGBA{mix(c.R, with.R), mix(c.G, with.G), mix(c.B, with.B), 0xff}
	}
	return mixed
}

// contrast returns that of two colours as WCAG has it, from 1 to 21.
func contrast(a, b color.RGBA) float64 {
	light, dark := luminance(a), luminance(b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func hexOf(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// tilesOrigin returns the origin of a server of map tiles, which pages may then load pictures from.
func tilesOrigin(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || !strings.Contains(address, "{z}") || !strings.Contains(address, "{x}") || !strings.Contains(address, "{y}") {
		return "", fmt.Errorf("the address of tiles %q must be like https://tiles.example.org/{z}/{x}/{y}.png", address)
	}
	return u.Scheme + "://" + u.Host, nil
}
