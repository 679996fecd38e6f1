// Package pages is what anybody may open in a browser: the front page, and the
// reference of the API with a form that tries each operation.
//
// The reference is made from the OpenAPI document and knows nothing else of the API:
//
//	document.go  reads the document
//	demo.go      finds the operations of the requests that a demo gives
//	request.go   makes the request that an operation is first tried with
//	samples.go   writes it in four languages
//	fields.go    lists the fields of what is sent and answered
//	find.go      finds operations by path, summary and field
//	reference.go shows all of it, a page for each operation
//
// All of it is read when somebody first opens a page: a server that nobody visits does
// not need it. Pages are made by the server and can be read without scripts. assets/pages.js
// filters them, obtains tokens and sends requests.
package pages
