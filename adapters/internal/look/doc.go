// Package look is what the pages for browsers share, those of the console and those
// that anybody may open: fonts, colours, the style of forms and tables, buttons that
// copy, what browsers are told about answers, and how files are told to be kept and
// compressed.
package look
