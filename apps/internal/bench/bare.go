package main

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
)

// bare is what the server is compared with: net/http, and for each kind of
// request one prepared statement on a table made for it. It knows no tokens, no
// sites and no search, checks nothing and logs nothing.
type bare struct {
	engine                 engine
	read, write            *sql.DB
	get, page, add, change *sql.Stmt
	// pages are the ids of each page that is asked for.
	pages    [][]int64
	listener net.Listener
}

// bareServer starts the bare server of a world, or finds the one that runs.
func (b *bench) bareServer(ctx context.Context, w *world) (*bare, error) {
	if w.bare != nil {
		return w.bare, nil
	}
	s := &bare{engine: w.engine}
	var err error
	if s.read, s.write, err = w.openBare(ctx); err != nil {
		return nil, err
	}
	w.bare = s
	for _, statement := range w.tables() {
		if _, err := s.write.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /products/{id}", s.serveGet)
	mux.HandleFunc("GET /pages/{page}", s.servePage)
	mux.HandleFunc("POST /products", s.serveAdd)
	mux.HandleFunc("PATCH /products/{id}", s.serveChange)
	server := &http.Server{Handler: mux, ErrorLog: log.New(io.Discard, "", 0)}
	b.servers.Go(func() error {
		if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	b.servers.Go(func() error {
		<-b.serving.Done()
		return server.Close()
	})
	return s, nil
}

func (s *bare) prepare(ctx context.Context) (err error) {
	statement := s.engine.statement
	if s.get, err = s.read.PrepareContext(ctx, statement("SELECT document FROM bare_get WHERE id = $1")); err != nil {
		return err
	}
	if s.page, err = s.read.PrepareContext(ctx, statement("SELECT document FROM bare_page WHERE id = ANY ($1)")); err != nil {
		return err
	}
	if s.add, err = s.write.PrepareContext(ctx, statement("INSERT INTO bare_add (document) VALUES ($1) RETURNING id")); err != nil {
		return err
	}
	s.change, err = s.write.PrepareContext(ctx, statement("UPDATE bare_add SET document = $1 WHERE id = $2"))
	return err
}

func (s *bare) address() string { return s.listener.Addr().String() }

func (s *bare) close() error {
	var err error
	for _, stmt := range []*sql.Stmt{s.get, s.page, s.add, s.change} {
		if stmt != nil {
			err = errors.Join(err, stmt.Close())
		}
	}
	err = errors.Join(err, s.read.Close())
	if s.write != s.read {
		err = errors.Join(err, s.write.Close())
	}
	return err
}

// fill gives each id one of some sample documents, in turn.
func (s *bare) fill(ctx context.Context, table string, ids []int64, samples []string) error {
	err := s.engine.copy(ctx, s.write, table, ids, func(i int) string { return samples[i%len(samples)] })
	if err != nil {
		return err
	}
	return s.engine.finishFill(ctx)
}

func (s *bare) serveGet(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var document []byte
	if err := s.get.QueryRowContext(r.Context(), id).Scan(&document); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusOK, document)
}

func (s *bare) servePage(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.PathValue("page"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	body, err := s.concatenate(r.Context(), s.pages[page])
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusOK, body)
}

func (s *bare) concatenate(ctx context.Context, ids []int64) ([]byte, error) {
	rows, err := s.page.QueryContext(ctx, s.engine.numbers(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	body := append(make([]byte, 0, 512<<10), `{"data":[`...)
	var document sql.RawBytes
	for first := true; rows.Next(); first = false {
		if err := rows.Scan(&document); err != nil {
			return nil, err
		}
		if !first {
			body = append(body, ',')
		}
		body = append(body, document...)
	}
	return append(body, "]}"...), rows.Err()
}

func (s *bare) serveAdd(w http.ResponseWriter, r *http.Request) {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id, err := s.insert(r.Context(), document)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusCreated, []byte(`{"id":`+strconv.FormatInt(id, 10)+`}`))
}

// insert adds a row, and returns its id.
func (s *bare) insert(ctx context.Context, document []byte) (id int64, err error) {
	err = s.add.QueryRowContext(ctx, string(document)).Scan(&id)
	return id, err
}

func (s *bare) serveChange(w http.ResponseWriter, r *http.Request) {
	document, err := io.ReadAll(r.Body)
	if err == nil {
		_, err = s.change.ExecContext(r.Context(), string(document), r.PathValue("id"))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
