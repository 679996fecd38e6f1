package backoffice

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Import is a run of an import, with the name of who started it; empty when that is
// nobody.
type Import struct {
	transfer.ImportRunRecord
	Starter string
}

// ImportPage is a page of imports, latest first.
type ImportPage struct {
	Data []Import
	// NextCursor is nil when there is nothing more.
	NextCursor *int64
}

func (s *Service) listImports(ctx context.Context, a Actor, in At[transfer.ListImportRuns]) (ImportPage, error) {
	found, err := through(s, s.site.Imports.List)(ctx, a, in)
	if err != nil {
		return ImportPage{}, err
	}
	names, err := view(ctx, s, unit.names)
	page := ImportPage{Data: []Import{}, NextCursor: found.NextCursor}
	for _, run := range found.Data {
		page.Data = append(page.Data, Import{run, names[run.By]})
	}
	return page, err
}

func (s *Service) getImport(ctx context.Context, a Actor, in At[transfer.ImportRunPath]) (Import, error) {
	run, err := through(s, s.site.Imports.Get)(ctx, a, in)
	if err != nil {
		return Import{}, err
	}
	names, err := view(ctx, s, unit.names)
	return Import{run, names[run.By]}, err
}

func (s *Service) startImport(ctx context.Context, a Actor, in At[transfer.StartImport]) (kernel.Created, error) {
	in.In.By = a.Operator.ID
	return through(s, s.site.Imports.Start)(ctx, a, in)
}

func (s *Service) carryOutImport(ctx context.Context, a Actor, in At[transfer.ImportRunPath]) (kernel.Created, error) {
	in.In.By = a.Operator.ID
	return through(s, s.site.Imports.CarryOut)(ctx, a, in)
}

func (s *Service) undoImport(ctx context.Context, a Actor, in At[transfer.ImportRunPath]) (kernel.Created, error) {
	in.In.By = a.Operator.ID
	return through(s, s.site.Imports.Undo)(ctx, a, in)
}

// importOperations returns the lines of the table about imports.
func (s *Service) importOperations(a *API) []Operation {
	runOf := func(in At[transfer.ImportRunPath]) string { return about("import", in.In.ID) }
	return []Operation{
		op(s, &a.ListImports, Operation{ID: "import.list", Summary: "List imports", Powers: operator.ManageImports}, nil, s.listImports),
		op(s, &a.GetImport, Operation{ID: "import.get", Summary: "Read an import", Powers: operator.ManageImports}, nil, s.getImport),
		op(s, &a.ReadImportReport, Operation{ID: "import.report", Summary: "Read the report of an import", Powers: operator.ManageImports}, nil, through(s, s.site.Imports.Report)),
		op(s, &a.StartImport, Operation{ID: "import.start", Summary: "Begin the dry run of a file", Powers: operator.ManageImports, Audited: true}, func(At[transfer.StartImport]) string { return "import" }, s.startImport),
		op(s, &a.CarryOutImport, Operation{ID: "import.carry-out", Summary: "Carry out what a dry run showed", Powers: operator.ManageImports, Audited: true}, runOf, s.carryOutImport),
		op(s, &a.UndoImport, Operation{ID: "import.undo", Summary: "Begin the dry run of an undo of an import", Powers: operator.ManageImports, Audited: true}, runOf, s.undoImport),
		op(s, &a.ListImportSources, Operation{ID: "import-source.list", Summary: "List import sources", Powers: operator.ManageImports}, nil, through(s, s.site.Sources.List)),
		op(s, &a.GetImportSource, Operation{ID: "import-source.get", Summary: "Read an import source with its last runs", Powers: operator.ManageImports}, nil, through(s, s.site.Sources.Get)),
		op(s, &a.RunImportSource, Operation{ID: "import-source.run", Summary: "Have an import source looked at now", Powers: operator.ManageImports, Audited: true},
			func(in At[transfer.RunImportSource]) string { return about("import source", in.In.ID) }, through(s, s.site.Sources.RunNow)),
		op(s, &a.PauseImportSource, Operation{ID: "import-source.pause", Summary: "Pause an import source, or end that", Powers: operator.ManageImports, Audited: true},
			func(in At[transfer.PauseImportSource]) string { return about("import source", in.In.ID) }, through(s, s.site.Sources.Pause)),
		op(s, &a.SaveImportSource, Operation{ID: "import-source.save", Summary: "Make or change an import source", Powers: operator.ManageImports, Audited: true},
			func(in At[transfer.SetupImportSource]) string { return about("import source", in.In.ID) }, through(s, s.site.Sources.Save)),
		op(s, &a.DeleteImportSource, Operation{ID: "import-source.delete", Summary: "Delete an import source", Powers: operator.ManageImports, Audited: true},
			func(in At[transfer.ImportSourcePath]) string { return about("import source", in.In.ID) }, through(s, s.site.Sources.Delete)),
		op(s, &a.ListPublicationTargets, Operation{ID: "publication-target.list", Summary: "List publication targets", Powers: operator.ManageImports}, nil, through(s, s.site.Portals.List)),
		op(s, &a.GetPublicationTarget, Operation{ID: "publication-target.get", Summary: "Read a publication target with its last runs", Powers: operator.ManageImports}, nil, through(s, s.site.Portals.Get)),
		op(s, &a.SendToPublicationTarget, Operation{ID: "publication-target.send", Summary: "Have a publication target sent its listings now", Powers: operator.ManageImports, Audited: true},
			func(in At[portals.TargetPath]) string { return about("publication target", in.In.ID) }, through(s, s.site.Portals.SendNow)),
		op(s, &a.PausePublicationTarget, Operation{ID: "publication-target.pause", Summary: "Pause a publication target, or end that", Powers: operator.ManageImports, Audited: true},
			func(in At[portals.PauseTarget]) string { return about("publication target", in.In.ID) }, through(s, s.site.Portals.Pause)),
		op(s, &a.SavePublicationTarget, Operation{ID: "publication-target.save", Summary: "Make or change a publication target", Powers: operator.ManageImports, Audited: true},
			func(in At[transfer.SetupPublicationTarget]) string { return about("publication target", in.In.ID) }, through(s, s.site.Portals.Save)),
		op(s, &a.DeletePublicationTarget, Operation{ID: "publication-target.delete", Summary: "Delete a publication target", Powers: operator.ManageImports, Audited: true},
			func(in At[portals.TargetPath]) string { return about("publication target", in.In.ID) }, through(s, s.site.Portals.Delete)),
		op(s, &a.RejectListing, Operation{ID: "publication-target.reject", Summary: "Note that a portal did not take a listing", Powers: operator.ManageImports, Audited: true},
			func(in At[portals.RejectListing]) string { return about("publication target", in.In.ID) }, through(s, s.site.Portals.Reject)),
		op(s, &a.StopImport, Operation{ID: "import.stop", Summary: "Stop an import", Powers: operator.ManageImports, Audited: true}, runOf, through(s, s.site.Imports.Stop)),
	}
}
