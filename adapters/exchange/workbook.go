package exchange

import (
	"archive/zip"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/xuri/excelize/v2"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

const (
	// maxWorkbook is the most bytes that a workbook may have once it is unpacked.
	maxWorkbook = 4 << 30
	// maxSheetInMemory is the most bytes of a part of a workbook that are held in memory.
	maxSheetInMemory = 8 << 20
)

// isWorkbook reports whether an archive is a workbook (XLSX).
func isWorkbook(archive *zip.Reader) bool {
	return slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "xl/workbook.xml" })
}

// sheetAsTable writes the first sheet of a workbook into a file of a folder, as a CSV: what its cells show, and
// days as 2026-02-13. It returns the name of the file.
func sheetAsTable(name, folder string) (table string, err error) {
	book, err := excelize.OpenFile(name, excelize.Options{
		ShortDatePattern: "yyyy-mm-dd", UnzipSizeLimit: maxWorkbook, UnzipXMLSizeLimit: maxSheetInMemory, TmpDir: folder,
	})
	if err != nil {
		return "", fault.Textf("the workbook cannot be read: %s", err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	table = filepath.Join(folder, "sheet.csv")
	file, err := os.OpenFile(table, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	return table, errors.Join(writeSheet(book, csv.NewWriter(file)), file.Close())
}

func writeSheet(book *excelize.File, to *csv.Writer) error {
	to.Comma = ';'
	rows, err := book.Rows(book.GetSheetName(0))
	if err != nil {
		return fault.Textf("the workbook has no sheet: %s", err)
	}
	defer rows.Close()
	width := 0
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return fault.Textf("the workbook cannot be read: %s", err)
		}
		width = max(width, len(cells))
		for len(cells) < width { // empty cells at the end of a row are not in the file
			cells = append(cells, "")
		}
		if err := to.Write(cells); err != nil {
			return err
		}
	}
	to.Flush()
	return errors.Join(to.Error(), rows.Error())
}
