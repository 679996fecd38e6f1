package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/port"
)

// encrypt reads the certificate, if there is one.
func (s *Server) encrypt() error {
	if !s.config.Encrypted() {
		return nil
	}
	certificate, err := httpapi.ReadCertificate(s.config.TLSCert, s.config.TLSKey, s.log)
	if err != nil {
		return fmt.Errorf("%s with %s: %w", s.config.TLSCert, s.config.TLSKey, err)
	}
	s.encrypted = certificate.Config()
	return nil
}

// answer has everything answer where it is to be reached: the API on the listener that
// there is, the rest next to it or on addresses of their own.
func (s *Server) answer(ctx context.Context, api, admin http.Handler) error {
	pages, err := s.console()
	if err != nil {
		return err
	}
	portal, err := s.portal()
	if err != nil {
		return err
	}
	if portal != nil {
		api = beside(portal, api, below(config.PortalPath))
	}
	at := s.listeners[0].Addr()
	if pages != nil && s.config.ConsoleListen == "" {
		api = beside(pages, api, below(config.ConsolePath))
	}
	if s.config.AdminListen == "" {
		api = beside(admin, api, isAdmin)
	}
	s.serve(api)
	if s.config.AdminListen != "" {
		if _, err := s.open("--admin-listen", s.config.AdminListen, nil); err != nil {
			return err
		}
		s.serve(httpapi.Profiled(admin))
	}
	if s.config.ConsoleListen != "" {
		if at, err = s.open("--console-listen", s.config.ConsoleListen, s.encrypted); err != nil {
			return err
		}
		s.serve(pages)
	}
	s.Console = s.config.ConsoleAt(at)
	return s.tellSetUp(ctx)
}

// open listens on the address of an option, for the handler that is served next. Connections are
// guarded below their encryption, where what the client takes can be seen.
func (s *Server) open(option, address string, encrypted *tls.Config) (net.Addr, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	at := listener.Addr()
	listener = httpapi.Guard(outOfFiles{listener, s.log, new(atomic.Int64)})
	if encrypted != nil {
		listener = tls.NewListener(listener, encrypted)
	}
	s.listeners = append(s.listeners, listener)
	return at, nil
}

// outOfFiles is a listener that tells when the process has no file descriptors left for
// connections, which the server waits for in silence.
type outOfFiles struct {
	net.Listener
	log *slog.Logger
	// told is when it was told last, in seconds.
	told *atomic.Int64
}

// Accept implements net.Listener.
func (l outOfFiles) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
		return c, err
	}
	now, told := time.Now().Unix(), l.told.Load()
	if now-told >= 60 && l.told.CompareAndSwap(told, now) {
		l.log.Error("connections wait: the process has as many files open as it may (ulimit -n)", "listening", l.Addr().String(), "error", err)
	}
	return c, err
}

// beside answers some paths on the API's own address.
func beside(other, api http.Handler, theirs func(path string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if theirs(r.URL.Path) {
			other.ServeHTTP(w, r)
		} else {
			api.ServeHTTP(w, r)
		}
	})
}

// isAdmin reports whether a path is that of a page for operators of the server.
func isAdmin(path string) bool { return path == "/healthz" || path == "/readyz" || path == "/metrics" }

// patient has each request wait for PostgreSQL so long in all.
func patient(h http.Handler, c config.Database) http.Handler {
	if !c.IsPostgres() {
		return h
	}
	limit := cmp.Or(c.DatabasePatience, postgres.DefaultPatience)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(port.WithPatience(r.Context(), limit)))
	})
}

func (s *Server) serve(h http.Handler) {
	s.servers = append(s.servers, &http.Server{
		Handler:           patient(h, s.config.Database),
		ConnContext:       httpapi.GuardContext,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	})
}
