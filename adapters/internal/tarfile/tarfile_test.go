package tarfile_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/internal/tarfile"
)

type file struct{ name, content string }

func write(files []file, compressed bool) (written []byte, sum string, err error) {
	var out bytes.Buffer
	w := tarfile.NewWriter(&out, compressed)
	for _, f := range files {
		err = errors.Join(err, w.File(f.name, []byte(f.content)))
	}
	sum = w.Sum()
	err = errors.Join(err, w.Close())
	return out.Bytes(), sum, err
}

// read reads so many files, and the end.
func read(from []byte, n int) (files []file, sum string, err error) {
	r, err := tarfile.NewReader(bytes.NewReader(from))
	if err != nil {
		return nil, "", err
	}
	for range n {
		name, content, err := r.NextUpTo(func(string) int64 { return tarfile.MaxFile })
		if err != nil {
			return files, r.Sum(), err
		}
		files = append(files, file{name, string(content)})
	}
	return files, r.Sum(), r.End()
}

// TestOnlyWhatWasWrittenIsRead writes files, damages them, and reads them: whatever is
// read to its end is what was written.
func TestOnlyWhatWasWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) file {
			return file{rapid.StringMatching(`[a-z/]{0,40}[a-z]{1,150}`).Draw(t, "name"), rapid.String().Draw(t, "content")}
		}), 1, 5).Draw(t, "files")
		compressed := rapid.Bool().Draw(t, "compressed")
		written, sum, err := write(files, compressed)
		if err != nil {
			t.Fatal(err)
		}
		if again, _, err := write(files, compressed); err != nil || !bytes.Equal(written, again) {
			t.Fatalf("the same files make other bytes, %v", err)
		}
		if got, readSum, err := read(written, len(files)); err != nil || !slices.Equal(got, files) || readSum != sum {
			t.Fatalf("read %v, %v", got, err)
		}
		at := rapid.IntRange(0, len(written)-1).Draw(t, "at")
		for name, damaged := range map[string][]byte{
			"cut off": written[:at], "something follows": append(slices.Clip(written), written[at:]...), "a file follows": append(slices.Clip(written), written...),
		} {
			if got, _, err := read(damaged, len(files)); err == nil {
				t.Errorf("%s at %d of %d: %v is read", name, at, len(written), got)
			}
		}
		altered := bytes.Clone(written)
		altered[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if got, other, err := read(altered, len(files)); err == nil && other == sum && !slices.Equal(got, files) {
			t.Errorf("altered at %d: %v has the same digest", at, got)
		}
	})
}

func TestAFileOfATarIsAPlainOne(t *testing.T) {
	for _, header := range []tar.Header{
		{Typeflag: tar.TypeDir, Name: "folder/"}, {Typeflag: tar.TypeSymlink, Name: "link", Linkname: "/etc/passwd"}, {Typeflag: tar.TypeReg, Name: "large", Size: tarfile.MaxFile + 1},
	} {
		var out bytes.Buffer
		if err := tar.NewWriter(&out).WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if got, _, err := read(out.Bytes(), 1); err == nil || !strings.Contains(fmt.Sprint(err), header.Name) {
			t.Errorf("%s: %v, %v", header.Name, got, err)
		}
	}
	w := tarfile.NewWriter(&bytes.Buffer{}, false)
	if err := w.File("large", make([]byte, tarfile.MaxFile+1)); err == nil {
		t.Error("a file larger than can be read was written")
	}
}
