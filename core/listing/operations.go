package listing

import (
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/product"
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
	CreateProduct api.UseCase[CreateProduct, api.Created]
	// SearchProducts finds products (contract: POST /products/search). Without
	// fetch the records carry ids only. Cursor mode, which a search without skip,
	// count and sort is in, goes by ascending id; offset mode sorts as asked. Blocks
	// and filters about owners are Forbidden to website credentials.
	SearchProducts api.UseCase[SearchProducts, SearchResult]
	// CountProducts counts what a search with these filters matches (contract: POST
	// /products/search/count). It fails as the search does.
	CountProducts api.UseCase[CountProducts, CountResult]
	// CountFacets counts what a search with these filters matches, in all and by
	// the values of criteria (extension: POST /products/search/facets). The count of
	// a value is what a search with that value as one more condition finds. It fails
	// as the search does.
	CountFacets api.UseCase[ProductFacets, FacetsResult]
	// GetProduct reads one product with the blocks asked for (contract: GET
	// /products/{productId}). Whether it is active or published makes no
	// difference. Blocks about owners and dealings are Forbidden to website
	// credentials.
	GetProduct api.UseCase[ReadProduct, Record[Product]]
	// UpdateProduct changes the given fields of a product and nothing else
	// (contract: PATCH /products/{productId}). A request that changes nothing
	// leaves no trace. A code outside its referential is Unrecognised, unless
	// something else is wrong too.
	UpdateProduct api.UseCase[UpdateProduct, api.Changed]
	// DeleteProduct removes a product from all reads and searches. Its reference
	// stays taken. Its lots stay, and are no lots while it is gone. One that is
	// promised, sold or let is a Conflict.
	DeleteProduct api.UseCase[DeleteProduct, api.None]
	// RestoreProduct brings a deleted product back as it was, for as long as deleted
	// products are kept; after that, and when there never was one, it is NotFound.
	// One that is not deleted is a Conflict. An owner who is gone by now is left
	// out, and so is a parent that has become a lot.
	RestoreProduct api.UseCase[RestoreProduct, api.Changed]
	// ListProductCriteria lists the criteria of a product, in the order of their
	// definitions (contract: GET /products/{productId}/criteria).
	ListProductCriteria api.UseCase[ProductPath, ProductCriteria]
	// ListLots lists the lots of a product by reference (contract: GET
	// /products/{productId}/lots). Blocks are asked for as in GetProduct.
	ListLots api.UseCase[ReadProduct, Lots]
	// DeleteRoom removes a room from a product. A room that the product does not
	// have is NotFound.
	DeleteRoom api.UseCase[DeleteRoom, api.Changed]

	// ListProductActions reads the action history of a product, latest first: the
	// actions whose type has an active child now (contract: GET
	// /products/{productId}/actions).
	ListProductActions api.UseCase[ReadActions, ActionPage]
	// CreateProductAction writes down an action about a product (contract: POST
	// /products/{productId}/actions). It is always in the application log, and in
	// the history as long as its type has an active child. The product itself does
	// not change.
	CreateProductAction api.UseCase[CreateProductAction, ActionCreated]

	// AddPublicPicture adds a picture that everybody sees (contract: POST
	// /products/{productId}/pictures/public). A file that the product already has
	// with this visibility changes nothing. A file that is no image, or too large,
	// is Invalid. Without the ports for pictures it is Unavailable. It is a Conflict
	// when the same picture is just being deleted.
	AddPublicPicture api.UseCase[AddPicture, AddedPicture]
	// AddPrivatePicture adds a picture that only the agency sees (contract: POST
	// /products/{productId}/pictures/private). It fails as AddPublicPicture does.
	AddPrivatePicture api.UseCase[AddPicture, AddedPicture]
	// ListPictures lists the pictures of a product that the caller may see, in
	// order.
	ListPictures api.UseCase[ProductPath, PhotoList]
	// GetPicture reads the record of a picture. One that the product does not have,
	// or that the caller may not see, is NotFound.
	GetPicture api.UseCase[PicturePath, OnePhoto]
	// UpdatePicture moves, labels, publishes or hides a picture. A request that
	// changes nothing leaves no trace. One that the product does not have is
	// NotFound.
	UpdatePicture api.UseCase[UpdatePicture, api.Changed]
	// DeletePicture removes a picture from a product, and then its content. One that
	// the product does not have is NotFound.
	DeletePicture api.UseCase[DeletePicture, api.Changed]
}

// getRule says who may read a product.
func getRule() access.Rule {
	return api.Needs(properties|sales|websites, productRead, access.ProductGet)
}

func (s *Service) table(a *API) []api.Operation {
	return []api.Operation{
		api.Op(&a.CreateProduct, "product.create", api.POST, "/products", 201, api.Needs(properties, productWrite, access.ProductCreate), "Create a product", s.createProduct).InData().IsPresuming(),
		api.Op(&a.SearchProducts, "product.search", api.POST, "/products/search", 200, api.Needs(properties|websites, productRead, access.ProductSearch), "Search products", s.searchProducts).IsPolled(api.PolledSearch).Weighs(api.Hydrated).IsCompressed().IsFirst(),
		api.Op(&a.CountProducts, "product.count", api.POST, "/products/search/count", 200, api.Needs(properties|websites, productRead, access.ProductSearch), "Count the products a search matches", s.countProducts),
		api.Op(&a.CountFacets, "product.facets", api.POST, "/products/search/facets", 200, api.Needs(properties|websites, productRead, access.ProductSearch), "Count the products a search matches by the values of criteria", s.countFacets).IsCompressed(),
		api.Op(&a.GetProduct, "product.get", api.GET, "/products/{productId}", 200, getRule(), "Read one product", s.getProduct).InData().IsCompressed(),
		api.Op(&a.UpdateProduct, "product.update", api.PATCH, "/products/{productId}", 204, api.Needs(properties, productWrite, access.ProductUpdate), "Change the given fields of a product", s.updateProduct).Fails(fault.Unrecognised).IsPresuming(),
		api.Op(&a.DeleteProduct, "product.delete", api.DELETE, "/products/{productId}", 204, api.Needs(properties, productWrite, access.ProductDelete), "Delete a product", writes(s, Unit.deleteProduct)).Fails(fault.Conflict),
		api.Op(&a.RestoreProduct, "product.restore", api.POST, "/products/{productId}/restore", 204, api.Needs(properties, productWrite, access.ProductDelete), "Restore a deleted product", writes(s, Unit.restoreProduct)).Fails(fault.Conflict),
		api.Op(&a.ListProductCriteria, "product.criteria", api.GET, "/products/{productId}/criteria", 200, api.Needs(properties, productRead, access.ProductGet), "List the criteria of a product", reads(s, Unit.listProductCriteria)).IsCompressed(),
		api.Op(&a.ListLots, "product.lots", api.GET, "/products/{productId}/lots", 200, api.Needs(properties|websites, productRead, access.ProductGet), "List the lots of a product", s.listLots).Weighs(api.Heavy).IsCompressed(),
		api.Op(&a.ListProductActions, "product.actions", api.GET, "/products/{productId}/actions", 200, api.Needs(properties|customers, productRead, access.ProductAction), "List the action history of a product, latest first", reads(s, Unit.listProductActions)),
		api.Op(&a.CreateProductAction, "product.action.create", api.POST, "/products/{productId}/actions", 201, api.Needs(properties|customers, productWrite, access.ProductAction), "Write down an action about a product", writes(s, Unit.createProductAction)).InData().IsPresuming(),
		api.Op(&a.DeleteRoom, "room.delete", api.DELETE, "/products/{productId}/rooms/{roomId}", 204, api.Needs(properties, productWrite, access.ProductUpdate), "Remove a room from a product", writes(s, Unit.deleteRoom)).IsPresuming(),

		api.Op(&a.AddPublicPicture, "picture.add.public", api.POST, "/products/{productId}/pictures/public", 204, api.Needs(properties, productWrite, access.ProductUpdate), "Add a picture that everybody sees", s.addPublicPicture),
		api.Op(&a.AddPrivatePicture, "picture.add.private", api.POST, "/products/{productId}/pictures/private", 204, api.Needs(properties, productWrite, access.ProductUpdate), "Add a picture for the agency alone", s.addPrivatePicture),
		api.Op(&a.ListPictures, "picture.list", api.GET, "/products/{productId}/pictures", 200, api.Needs(properties|sales|websites, productRead, access.ProductGet), "List the pictures of a product, in order", reads(s, Unit.listPictures)),
		api.Op(&a.GetPicture, "picture.get", api.GET, "/products/{productId}/pictures/{pictureId}", 200, api.Needs(properties|sales|websites, productRead, access.ProductGet), "Read a picture's record", reads(s, Unit.getPicture)),
		api.Op(&a.UpdatePicture, "picture.update", api.PATCH, "/products/{productId}/pictures/{pictureId}", 204, api.Needs(properties, productWrite, access.ProductUpdate), "Move, label, publish or hide a picture", writes(s, Unit.updatePicture)).IsPresuming(),
		api.Op(&a.DeletePicture, "picture.delete", api.DELETE, "/products/{productId}/pictures/{pictureId}", 204, api.Needs(properties, productWrite, access.ProductUpdate), "Remove a picture from a product", s.deletePicture),
	}
}

// Places are what the paths of the area name.
func (s *Service) Places() []api.Place {
	return []api.Place{
		{Path: "/products/{productId}", Exists: api.Exists(s.k, NewUnit, Unit.productExists)},
		{Path: "/products/{productId}/restore", Exists: api.Exists(s.k, NewUnit, Unit.productKept)},
		{Path: "/products/{productId}/rooms/{roomId}", Exists: api.Exists(s.k, NewUnit, Unit.roomExists)},
		{Path: "/products/{productId}/pictures/{pictureId}", Exists: api.Exists(s.k, NewUnit, Unit.pictureExists)},
	}
}

func (u Unit) productExists(ids []int64) error {
	_, err := u.Product(product.ID(ids[0]))
	return err
}

// productKept finds living products, and deleted ones that can be restored.
func (u Unit) productKept(ids []int64) error {
	if _, err := u.restorable(product.ID(ids[0])); !api.IsAbsent(err) {
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

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Writes(s.k, NewUnit, use)
}
