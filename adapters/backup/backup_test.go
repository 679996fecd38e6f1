package backup_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/backup"
)

var values = [][]any{
	{"text with \n \"quotes\" \u2028 é", int64(math.MaxInt64), true, nil, 45.123456789012345},
	{"", int64(math.MinInt64), false, "x", math.SmallestNonzeroFloat64},
}

var columns = []string{"a", "b", "c", "d", "e"}

func packed(t *testing.T, compressed bool) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := backup.NewWriter(&file, backup.Manifest{Made: time.Unix(0, 0).UTC(), Program: "test", Schema: []int64{1, 3}, Owner: " o"}, compressed)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(w.Picture("p/1", []byte("first")), w.Row("one", columns, values[0]), w.Row("one", columns, values[1]),
		w.Row("two", []string{"n"}, []any{int64(1)}), w.Picture("p/2", []byte("second")))
	if err != nil {
		t.Fatal(err)
	}
	if end, err := w.Close(map[string]int64{"s": 7}, nil); err != nil || end.Rows != 3 || end.Pictures != 2 {
		t.Fatalf("%v, %+v", err, end)
	}
	return file.Bytes()
}

func TestABackupHoldsWhatWasPutIn(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		f, err := backup.Open(t.Context(), bytes.NewReader(packed(t, compressed)))
		if err != nil {
			t.Fatal(err)
		}
		if m := f.Manifest; m.Program != "test" || m.Owner != " o" || !reflect.DeepEqual(m.Schema, []int64{1, 3}) || f.Sequences["s"] != 7 {
			t.Errorf("%+v, %+v", m, f.End)
		}
		var got [][]any
		var seen []string
		err = f.Each(t.Context(), backup.Sink{
			Rows: func(table string, names []string, rows [][]any) error {
				seen = append(seen, fmt.Sprint(table, names, len(rows)))
				got = append(got, rows...)
				return nil
			},
			Picture: func(key string, content []byte) error {
				seen = append(seen, key+" "+string(content))
				return nil
			},
		})
		want := append(append([][]any{}, values...), []any{int64(1)})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %#v, want %#v", err, got, want)
		}
		if text := strings.Join(seen, "; "); text != "p/1 first; one[a b c d e] 2; two[n] 1; p/2 second" {
			t.Error(text)
		}
	}
}

// TestADamagedBackupIsRefused changes, removes and cuts every byte in turn.
func TestADamagedBackupIsRefused(t *testing.T) {
	whole := packed(t, false)
	open := func(content []byte) error {
		_, err := backup.Open(t.Context(), bytes.NewReader(content))
		return err
	}
	if err := open(whole); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole)-1024; i++ { // what follows is the padding of the end
		changed := bytes.Clone(whole)
		changed[i] ^= 1
		if err := open(changed); err == nil && !inPadding(whole, i) {
			t.Errorf("with byte %d changed it is accepted", i)
		}
	}
	end := bytes.LastIndexByte(whole, '}')
	for n := 0; n < end; n += 97 {
		if open(whole[:n]) == nil {
			t.Errorf("cut off after %d bytes it is accepted", n)
		}
	}
	cut := packed(t, true)
	if err := open(cut[:len(cut)/2]); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// inPadding reports whether a byte is filling, which tells nothing.
func inPadding(whole []byte, i int) bool {
	block := whole[i/512*512:][:512]
	header := bytes.HasPrefix(block[257:], []byte("ustar"))
	if header {
		return i%512 == 155 // the end of the checksum of a header
	}
	return len(bytes.TrimRight(block, "\x00")) <= i%512
}

// What says what is in a backup is refused by its size, before it is read.
func TestALargeManifestIsNotRead(t *testing.T) {
	for _, name := range []string{"manifest.json", "sequences.json", "end.json", "else"} {
		var file bytes.Buffer
		w := tar.NewWriter(&file)
		if name != "manifest.json" {
			manifest := packed(t, false)[512:]
			manifest = manifest[:bytes.IndexByte(manifest, '\n')+1]
			err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "manifest.json", Size: int64(len(manifest)), Mode: 0o600})
			_, written := w.Write(manifest)
			if err = errors.Join(err, written); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 16<<20 + 1, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		// Nothing follows: whoever read it would tell of its end.
		if _, err := backup.Open(t.Context(), bytes.NewReader(file.Bytes())); err == nil || name != "manifest.json" && !strings.Contains(err.Error(), "is not a file of at most 16777216 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
