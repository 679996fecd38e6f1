package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// The words of the table.
const (
	properties, websites, sales = access.Properties, access.Websites, access.Sales
	customers                   = access.Customers
	productRead, productWrite   = access.ProductRead, access.ProductWrite
)

// API is the use cases about products. Each checks pack, permission and right of
// the caller first, and is Forbidden where one is missing.
//
// A product of another site, or none at all, is NotFound; one of an agency
// outside the scope is Forbidden, and so is an agency_id outside it. What is wrong
// with a request is Invalid, with every field named, and changes nothing. Under an
// If-Match that does not hold a write is Stale. In docs/contract see
// products.md, pictures.md and searching.md; customers.md for actions.
type API struct {
	// CreateProduct adds a product (contract: POST /products). Without a model it
	// gets the next reference of its agency; a reference that is taken is Invalid.
	CreateProduct kernel.UseCase[CreateProduct, kernel.Created]
	// SearchProducts finds products (contract: POST /products/search). Without
	// fetch the records carry ids only. Cursor mode, which a search without skip,
	// count and sort is in, goes by ascending id; offset mode sorts as asked. Blocks
	// and filters about owners are Forbidden to website credentials.
	SearchProducts kernel.UseCase[SearchProducts, SearchResult]
	// CountProducts counts what a search with these filters matches (contract: POST
	// /products/search/count). It fails as the search does.
	CountProducts kernel.UseCase[CountProducts, CountResult]
	// CountFacets counts what a search with these filters matches, in all and by
	// the values of criteria (extension: POST /products/search/facets). The count of
	// a value is what a search with that value as one more condition finds. It fails
	// as the search does.
	CountFacets kernel.UseCase[ProductFacets, FacetsResult]
	// GetProduct reads one product with the blocks asked for (contract: GET
	// /products/{productId}). Whether it is active or published makes no
	// difference. Blocks about owners and dealings are Forbidden to website
	// credentials.
	GetProduct kernel.UseCase[ReadProduct, Record[Product]]
	// UpdateProduct changes the given fields of a product and nothing else
	// (contract: PATCH /products/{productId}). A request that changes nothing
	// leaves no trace. A code outside its referential is Unrecognised, unless
	// something else is wrong too.
	UpdateProduct kernel.UseCase[UpdateProduct, kernel.Changed]
	// DeleteProduct removes a product from all reads and searches. Its reference
	// stays taken. Its lots stay, and are no lots while it is gone. One that is
	// promised, sold or let is a Conflict.
	DeleteProduct kernel.UseCase[DeleteProduct, kernel.None]
	// RestoreProduct brings a deleted product back as it was, for as long as deleted
	// products are kept; after that, and when there never was one, it is NotFound.
	// One that is not deleted is a Conflict. An owner who is gone by now is left
	// out, and so is a parent that has become a lot.
	RestoreProduct kernel.UseCase[RestoreProduct, kernel.Changed]
	// ListProductCriteria lists the criteria of a product, in the order of their
	// definitions (contract: GET /products/{productId}/criteria).
	ListProductCriteria kernel.UseCase[ProductPath, ProductCriteria]
	// ListLots lists the lots of a product by reference (contract: GET
	// /products/{productId}/lots). Blocks are asked for as in GetProduct.
	ListLots kernel.UseCase[ReadProduct, Lots]
	// DeleteRoom removes a room from a product. A room that the product does not
	// have is NotFound.
	DeleteRoom kernel.UseCase[DeleteRoom, kernel.Changed]

	// ListProductActions reads the action history of a product, latest first: the
	// actions whose type has an active child now (contract: GET
	// /products/{productId}/actions).
	ListProductActions kernel.UseCase[ReadActions, ActionPage]
	// CreateProductAction writes down an action about a product (contract: POST
	// /products/{productId}/actions). It is always in the application log, and in
	// the history as long as its type has an active child. The product itself does
	// not change.
	CreateProductAction kernel.UseCase[CreateProductAction, ActionCreated]

	// AddPublicPicture adds a picture that everybody sees (contract: POST
	// /products/{productId}/pictures/public). A file that the product already has
	// with this visibility changes nothing. A file that is no image, or too large,
	// is Invalid. Without the ports for pictures it is Unavailable. It is a Conflict
	// when the same picture is just being deleted.
	AddPublicPicture kernel.UseCase[AddPicture, AddedPicture]
	// AddPrivatePicture adds a picture that only the agency sees (contract: POST
	// /products/{productId}/pictures/private). It fails as AddPublicPicture does.
	AddPrivatePicture kernel.UseCase[AddPicture, AddedPicture]
	// ListPictures lists the pictures of a product that the caller may see, in
	// order.
	ListPictures kernel.UseCase[ProductPath, PhotoList]
	// GetPicture reads the record of a picture. One that the product does not have,
	// or that the caller may not see, is NotFound.
	GetPicture kernel.UseCase[PicturePath, OnePhoto]
	// UpdatePicture moves, labels, publishes or hides a picture. A request that
	// changes nothing leaves no trace. One that the product does not have is
	// NotFound.
	UpdatePicture kernel.UseCase[UpdatePicture, kernel.Changed]
	// DeletePicture removes a picture from a product, and then its content. One that
	// the product does not have is NotFound.
	DeletePicture kernel.UseCase[DeletePicture, kernel.Changed]
}

// updateRule returns who may change a product.
func updateRule() access.Rule {
	return kernel.Needs(properties, productWrite, access.ProductUpdate)
}

// getRule returns who may read a product.
func getRule() access.Rule {
	return kernel.Needs(properties|sales|websites, productRead, access.ProductGet)
}

func (s *Service) table(a *API) []kernel.Operation {
	return []kernel.Operation{
		kernel.Op(&a.CreateProduct, "product.create", kernel.POST, "/products", 201, kernel.Needs(properties, productWrite, access.ProductCreate), "Create a product", s.createProduct).InData(),
		kernel.Op(&a.SearchProducts, "product.search", kernel.POST, "/products/search", 200, kernel.Needs(properties|websites, productRead, access.ProductSearch), "Search products", s.searchProducts).IsPolled(kernel.PolledSearch).Weighs(kernel.Hydrated).IsCompressed().IsFirst(),
		kernel.Op(&a.CountProducts, "product.count", kernel.POST, "/products/search/count", 200, kernel.Needs(properties|websites, productRead, access.ProductSearch), "Count the products a search matches", s.countProducts).Weighs(kernel.Heavy),
		kernel.Op(&a.CountFacets, "product.facets", kernel.POST, "/products/search/facets", 200, kernel.Needs(properties|websites, productRead, access.ProductSearch), "Count the products a search matches by the values of criteria", s.countFacets).Weighs(kernel.Heavy).IsCompressed(),
		kernel.Op(&a.GetProduct, "product.get", kernel.GET, "/products/{productId}", 200, getRule(), "Read one product", s.getProduct).InData().IsCompressed(),
		kernel.Op(&a.UpdateProduct, "product.update", kernel.PATCH, "/products/{productId}", 204, updateRule(), "Change the given fields of a product", s.updateProduct).Fails(fault.Unrecognised),
		kernel.Op(&a.DeleteProduct, "product.delete", kernel.DELETE, "/products/{productId}", 204, kernel.Needs(properties, productWrite, access.ProductDelete), "Delete a product", writes(s, Unit.deleteProduct)).Fails(fault.Conflict),
		kernel.Op(&a.RestoreProduct, "product.restore", kernel.POST, "/products/{productId}/restore", 204, kernel.Needs(properties, productWrite, access.ProductDelete), "Restore a deleted product", writes(s, Unit.restoreProduct)).Fails(fault.Conflict),
		kernel.Op(&a.ListProductCriteria, "product.criteria", kernel.GET, "/products/{productId}/criteria", 200, kernel.Needs(properties, productRead, access.ProductGet), "List the criteria of a product", reads(s, Unit.listProductCriteria)).IsCompressed(),
		kernel.Op(&a.ListLots, "product.lots", kernel.GET, "/products/{productId}/lots", 200, kernel.Needs(properties|websites, productRead, access.ProductGet), "List the lots of a product", s.listLots).Weighs(kernel.Heavy).IsCompressed(),
		kernel.Op(&a.ListProductActions, "product.actions", kernel.GET, "/products/{productId}/actions", 200, kernel.Needs(properties|customers, productRead, access.ProductAction), "List the action history of a product, latest first", reads(s, Unit.listProductActions)),
		kernel.Op(&a.CreateProductAction, "product.action.create", kernel.POST, "/products/{productId}/actions", 201, kernel.Needs(properties|customers, productWrite, access.ProductAction), "Write down an action about a product", writes(s, Unit.createProductAction)).InData(),
		kernel.Op(&a.DeleteRoom, "room.delete", kernel.DELETE, "/products/{productId}/rooms/{roomId}", 204, kernel.Needs(properties, productWrite, access.ProductUpdate), "Remove a room from a product", writes(s, Unit.deleteRoom)),

		kernel.Op(&a.AddPublicPicture, "picture.add.public", kernel.POST, "/products/{productId}/pictures/public", 204, kernel.Needs(properties, productWrite, access.ProductUpdate), "Add a picture that everybody sees", s.addPublicPicture),
		kernel.Op(&a.AddPrivatePicture, "picture.add.private", kernel.POST, "/products/{productId}/pictures/private", 204, kernel.Needs(properties, productWrite, access.ProductUpdate), "Add a picture for the agency alone", s.addPrivatePicture),
		kernel.Op(&a.ListPictures, "picture.list", kernel.GET, "/products/{productId}/pictures", 200, kernel.Needs(properties|sales|websites, productRead, access.ProductGet), "List the pictures of a product, in order", reads(s, Unit.listPictures)),
		kernel.Op(&a.GetPicture, "picture.get", kernel.GET, "/products/{productId}/pictures/{pictureId}", 200, kernel.Needs(properties|sales|websites, productRead, access.ProductGet), "Read a picture's record", reads(s, Unit.getPicture)),
		kernel.Op(&a.UpdatePicture, "picture.update", kernel.PATCH, "/products/{productId}/pictures/{pictureId}", 204, kernel.Needs(properties, productWrite, access.ProductUpdate), "Move, label, publish or hide a picture", writes(s, Unit.updatePicture)),
		kernel.Op(&a.DeletePicture, "picture.delete", kernel.DELETE, "/products/{productId}/pictures/{pictureId}", 204, kernel.Needs(properties, productWrite, access.ProductUpdate), "Remove a picture from a product", s.deletePicture),
	}
}

// Places returns what the paths of the area name.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/products/{productId}", Exists: kernel.Exists(s.k, NewUnit, Unit.productExists)},
		{Path: "/products/{productId}/restore", Exists: kernel.Exists(s.k, NewUnit, Unit.productKept)},
		{Path: "/products/{productId}/rooms/{roomId}", Exists: kernel.Exists(s.k, NewUnit, Unit.roomExists)},
		{Path: "/products/{productId}/pictures/{pictureId}", Exists: kernel.Exists(s.k, NewUnit, Unit.pictureExists)},
	}
}

func (u Unit) productExists(ids []int64) error {
	_, err := u.Product(product.ID(ids[0]))
	return err
}

// productKept finds living products, and deleted ones that can be restored.
func (u Unit) productKept(ids []int64) error {
	if _, err := u.restorable(product.ID(ids[0])); !kernel.IsAbsent(err) {
		return err
	}
	return u.productExists(ids)
}

func (u Unit) roomExists(ids []int64) error {
	p, err := u.Product(product.ID(ids[0]))
	if err == nil {
		_, err = placeOfRoom(p, ids[1])
	}
	return err
}

func (u Unit) pictureExists(ids []int64) error {
	_, err := u.getPicture(PicturePath{ID: ids[0], PictureID: ids[1]})
	return err
}

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Writes(s.k, NewUnit, use)
}
