package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"reflect"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// uploadWithin is how long a client may take to send a form with files: 25 MiB
// over a slow line.
const uploadWithin = 10 * time.Minute

var fileType = reflect.TypeFor[listing.File]()

// uploads reads the files of a form, as they come, onto the disk: however many
// clients send at once, and however slowly, memory does not grow with them.
type uploads struct {
	fields []field
}

func (u *uploads) add(name string, f reflect.StructField, index []int) {
	if f.Type != fileType {
		panic(f.Name + " cannot come from a file: it is no listing.File")
	}
	u.fields = append(u.fields, field{name: name, index: index, required: f.Tag.Get("required") == "true"})
}

// read puts the files of a form into v. What a file is called, and said to be,
// is not looked at.
func (u *uploads) read(b *binding, x *exchange, r *http.Request, v reflect.Value) error {
	if mediaType(r) != "multipart/form-data" {
		return fault.New(fault.Unsupported, fault.CodeUnsupportedMediaType, "this operation reads multipart/form-data")
	}
	control := http.NewResponseController(x)
	_ = control.SetReadDeadline(time.Now().Add(uploadWithin))
	_ = control.SetWriteDeadline(time.Now().Add(2 * uploadWithin))
	form, err := r.MultipartReader()
	if err != nil {
		return unreadableForm(err)
	}
	times := make([]int, len(u.fields))
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return unreadableForm(err)
		}
		n := u.field(part.FormName())
		if n < 0 {
			b.ignore(part.FormName())
			continue
		}
		if times[n]++; times[n] > 1 {
			continue
		}
		file, err := x.spool(u.fields[n].name, part)
		if err != nil {
			return err
		}
		v.FieldByIndex(u.fields[n].index).Set(reflect.ValueOf(file))
	}
	for n, f := range u.fields {
		b.enter(f.name)
		switch {
		case times[n] > 1:
			b.problem(fault.CodeAmbiguousField, "%s is present %d times", b.field(), times[n])
		case times[n] == 0 && f.required:
			b.problem(fault.CodeRequired, "%s is required", b.field())
		}
		b.leave()
	}
	return nil
}

func (u *uploads) field(name string) int {
	for n, f := range u.fields {
		if f.name == name {
			return n
		}
	}
	return -1
}

// spool puts a part into a temporary file, which has no name a client could
// choose, and is gone when the request is over.
func (x *exchange) spool(name string, part *multipart.Part) (listing.File, error) {
	file, err := os.CreateTemp("", "vitrine-upload-*")
	if err != nil {
		return listing.File{}, err
	}
	x.spooled = append(x.spooled, file)
	// Where the system allows it the name goes at once, so that a crash leaves
	// nothing behind.
	_ = os.Remove(file.Name())
	var into io.Writer = file
	if x.print != nil {
		// The content counts for the fingerprint, not how the form around it was
		// written.
		into = io.MultiWriter(file, x.print)
	}
	size, err := io.Copy(into, reading{part})
	if x.print != nil {
		_, _ = fmt.Fprintf(x.print, "\n%s %d\n", name, size)
	}
	if failed, ok := errors.AsType[readError](err); ok {
		return listing.File{}, unreadableForm(failed.error)
	}
	return listing.File{Content: file, Size: size}, err
}

// reading tells errors of reading from those of writing.
type reading struct{ io.Reader }

type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

func (r reading) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = readError{err}
	}
	return n, err
}

// forget removes what was spooled.
func (x *exchange) forget() {
	for _, file := range x.spooled {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
}

func unreadableForm(err error) error {
	switch large, tooLarge := errors.AsType[*http.MaxBytesError](err); {
	case tooLarge:
		return fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the body is larger than %d bytes", large.Limit)
	case errors.Is(err, context.Canceled):
		return err
	}
	return fault.New(fault.Invalid, fault.CodeInvalidFormat, "the body is not readable as multipart/form-data").Because(err)
}
