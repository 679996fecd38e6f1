package main

import (
	"debug/buildinfo"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// ours begins the modules that are released together, all of one version.
const ours = "github.com/vitrine-crm/vitrine/"

// writeBill writes what a binary is made of, as it says itself: a software bill of
// materials in the format CycloneDX.
func writeBill(s source, p platform, binary, to string) error {
	built, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	sum, err := checksum(binary)
	if err != nil {
		return err
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	encoder := cdx.NewBOMEncoder(file, cdx.BOMFileFormatJSON)
	encoder.SetPretty(true)
	return errors.Join(encoder.Encode(bill(s, p, built, sum)), file.Close())
}

func bill(s source, p platform, built *buildinfo.BuildInfo, sum string) *cdx.BOM {
	program := module(ours+"apps", s.named())
	program.Type = cdx.ComponentTypeApplication
	program.Name = s.program
	program.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}}
	program.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	program.Properties = &[]cdx.Property{{Name: "commit", Value: s.commit}, {Name: "platform", Value: p.os + "/" + p.arch}}

	parts := []cdx.Component{module("std", strings.TrimPrefix(built.GoVersion, "go"))}
	for _, dep := range built.Deps {
		parts = append(parts, part(s, dep))
	}
	b := cdx.NewBOM()
	b.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(program.PackageURL+sum)).URN()
	b.Metadata = &cdx.Metadata{Timestamp: s.date.Format(time.RFC3339), Component: &program}
	b.Components = &parts
	return b
}

// part returns a module that was linked in; one in place of another is what it is.
func part(s source, dep *debug.Module) cdx.Component {
	if dep.Replace != nil && dep.Replace.Version != "" {
		dep = dep.Replace
	}
	if strings.HasPrefix(dep.Path, ours) {
		return module(dep.Path, s.named())
	}
	c := module(dep.Path, dep.Version)
	if dep.Sum != "" {
		c.Properties = &[]cdx.Property{{Name: "go.sum", Value: dep.Sum}}
	}
	return c
}

func module(path, version string) cdx.Component {
	url := "pkg:golang/" + path + "@" + version
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
}
