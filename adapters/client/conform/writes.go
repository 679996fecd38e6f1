package conform

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
)

// create makes a product with a reference of its own, which is deleted when the run ends.
func (p *Probe) create(fields object) int64 {
	body := object{"agency_id": p.agency(), "model": p.reference()}
	for name, value := range fields {
		body[name] = value
	}
	return p.created(p.Post("/products", body))
}

func (p *Probe) created(a *Answer) int64 {
	id := a.Is(201).Int("data.id")
	p.made(fmt.Sprint("/products/", id))
	return id
}

// update changes a product.
func (p *Probe) update(id int64, fields object) *Answer {
	body := object{"product_id": id}
	for name, value := range fields {
		body[name] = value
	}
	return p.Patch(fmt.Sprint("/products/", id), body)
}

// field is what is read of a product, if products show it.
func (p *Probe) field(id int64, name string) any {
	a := p.Get(fmt.Sprint("/products/", id)).Is(200)
	if !a.Has("data." + name) {
		p.Skip("products show no %s", name)
	}
	return a.JSON("data." + name)
}

// criteria are those of a request.
func criteria(pairs ...any) object {
	all := list{}
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, object{"id": pairs[i], "value": pairs[i+1]})
	}
	return object{"criteria": all}
}

// ofType is the key of a criterion of a type, of those in use first.
func (p *Probe) ofType(kind string) string {
	for _, one := range p.products() {
		for _, key := range slices.Sorted(maps.Keys(one.criteria)) {
			if p.typeOf(key) == kind && key != "Statut" {
				return key
			}
		}
	}
	p.Skip("no product has a criterion that is %s", kind)
	return ""
}

// colleague is a user of an agency.
func (p *Probe) colleague() int64 {
	a := p.Get(fmt.Sprint("/agencies/", p.agency())).Is(200)
	if len(a.List("data.users")) == 0 {
		p.Skip("the agency has no users")
	}
	return a.Int("data.users.0.id")
}

func writeChecks() []Check {
	all := []Check{
		{ID: "create.answer", Number: 112, Run: func(p *Probe) { p.create(nil) }},
		{ID: "create.criteria", Number: 110, Run: func(p *Probe) {
			id := p.create(criteria("Ville", "Lyon", "Prix", 123456, "TypeBien", p.home()))
			got := p.product(id).criteria
			p.Want(got["Ville"] == "Lyon" && got["Prix"] == 123456.0 && got["TypeBien"] == p.home(), "the criteria that were sent", got)
		}},
		{ID: "create.model.kept", Number: 44, Run: func(p *Probe) {
			reference := p.reference()
			id := p.create(object{"model": reference})
			ids := p.Post(searchPath, object{"model": reference}).Is(200).IDs()
			p.Want(slices.Equal(ids, []int64{id}), "the product by its reference", ids)
		}},
		{ID: "create.model.generated", Number: 44, Run: func(p *Probe) {
			var models []any
			for range 2 {
				id := p.created(p.Post("/products", object{"agency_id": p.agency()}))
				models = append(models, p.field(id, "model"))
			}
			_, ok := models[0].(string)
			p.Want(ok && models[0] != "" && models[0] != models[1], "the next free reference each time", models)
		}},
		{ID: "create.code.unique", Number: 111, Run: func(p *Probe) { p.refuse(criteria("TypeBien", "no such type")) }},
		{ID: "create.code.multiple", Number: 111, Run: func(p *Probe) { p.refuse(criteria(p.ofType("MULTIPLE"), list{"no such value"})) }},
		{ID: "create.code.numeric", Number: 62, Run: func(p *Probe) {
			p.refuse(criteria("TypeBien", fmt.Sprint(p.Get("/criterias/product/TypeBien/values").Is(200).Int("data.0.id"))))
		}},
		{ID: "create.criteria.numeric_id", Number: 43, Run: func(p *Probe) {
			number, ok := integer(p.definition("TypeBien")["id"])
			p.Want(ok, "the definition has a numeric id", p.definition("TypeBien"))
			got := p.criterion(p.create(criteria(fmt.Sprint(number), p.home())), "TypeBien")
			p.Want(got == p.home(), "TypeBien by its numeric id", got)
		}},
		{ID: "create.status.default", Number: 61, Run: func(p *Probe) {
			got := p.criterion(p.create(nil), "Statut")
			p.Want(got != nil && p.isCode("Statut", got), "a value of Statut", got)
		}},
		{ID: "create.status.active", Number: 60, Run: func(p *Probe) {
			p.found(clause("Statut", "EGAL", "EnCours"), product{id: p.create(criteria("Statut", "EnCours"))}, true)
		}},
		{ID: "create.422", Number: 112, Run: func(p *Probe) { p.refuse(object{"agency_id": "no number"}) }},
		{ID: "create.scope", Number: 194, Needs: SecondSite, Run: func(p *Probe) {
			p.unmade(p.Post("/products", object{"agency_id": p.theirAgency(), "model": p.reference()}), 403, 404, 422)
		}},
		{ID: "update.answer", Number: 158, Run: func(p *Probe) {
			a := p.update(p.create(nil), object{"color": 2}).Is(204)
			p.Want(len(a.Body) == 0, "no body", a)
		}},
		{ID: "update.product_id.required", Number: 153, Run: func(p *Probe) {
			id := p.create(nil)
			p.Patch(fmt.Sprint("/products/", id), object{"color": 2}).Refused(422)
		}},
		{ID: "update.product_id.equal", Number: 46, Run: func(p *Probe) {
			id := p.create(nil)
			p.Patch(fmt.Sprint("/products/", id), object{"product_id": id + 1, "color": 2}).Refused(422)
		}},
		{ID: "update.only_provided", Number: 154, Run: func(p *Probe) {
			id := p.create(object{"color": 3, "next_contact": "2030-01-02", "criteria": criteria("Ville", "Lyon", "Prix", 1000)["criteria"]})
			before := p.product(id)
			p.update(id, object{"web_status": before.record["web_status"] != true}).Is(204)
			after := p.product(id)
			p.Want(reflect.DeepEqual(before.criteria, after.criteria), fmt.Sprint(before.criteria), after.criteria)
			for _, name := range []string{"model", "agency_id", "user_id", "color", "next_contact", "intercabinet", "seller_statistics"} {
				p.Want(before.record[name] == after.record[name], fmt.Sprint(name, " is ", before.record[name]), after.record[name])
			}
		}},
		{ID: "update.criteria.others_kept", Number: 155, Run: func(p *Probe) {
			id := p.create(criteria("Ville", "Lyon", "Prix", 1000))
			p.update(id, criteria("Prix", 2000)).Is(204)
			one := p.product(id)
			p.Want(one.criteria["Prix"] == 2000.0 && one.criteria["Ville"] == "Lyon", "Prix is 2000, and Ville Lyon", one.criteria)
		}},
		{ID: "update.400", Number: 216, Run: func(p *Probe) {
			id := p.create(criteria("TypeBien", p.home()))
			p.update(id, criteria("TypeBien", "no such type")).Refused(400)
			got := p.criterion(id, "TypeBien")
			p.Want(got == p.home(), "nothing changed", got)
		}},
		{ID: "update.404", Number: 158, Run: func(p *Probe) { p.Patch("/products/"+unknownID, object{"product_id": 999999999999}).Refused(404) }},
		{ID: "update.422", Number: 158, Run: func(p *Probe) { p.update(p.create(nil), object{"next_contact": "no date"}).Refused(422) }},
		{ID: "update.scope", Number: 158, Needs: SecondSite, Run: func(p *Probe) {
			id := p.create(object{"color": 1})
			p.other(func(p *Probe) { p.update(id, object{"color": 2}).Refused(403, 404) })
		}},
		{ID: "update.agency.scope", Number: 47, Needs: SecondSite, Run: func(p *Probe) {
			p.update(p.create(nil), object{"agency_id": p.theirAgency()}).Refused(403, 404, 422)
		}},
		{ID: "color.bounds", Number: 226, Run: func(p *Probe) {
			id := p.create(nil)
			for _, color := range []int{1, 5} {
				p.update(id, object{"color": color}).Is(204)
			}
			for _, color := range []int{0, 6} {
				p.update(id, object{"color": color}).Refused(422)
			}
		}},
		{ID: "web_status.published", Number: 89, Run: func(p *Probe) {
			id := p.create(object{"web_status": true})
			p.found(object{"status_web": true}, product{id: id}, true)
			p.update(id, object{"web_status": false}).Is(204)
			p.found(object{"status_web": true}, product{id: id}, false)
		}},
		{ID: "energy.computed", Number: 55, Run: func(p *Probe) {
			id := p.create(criteria("TypeBien", p.home(), "conso_energ", 500, "valeur_GES", 120))
			for _, key := range []string{"ConsoEner", "GES"} {
				letter, _ := p.criterion(id, key).(string)
				p.Want(len(letter) == 1 && letter >= "A" && letter <= "G", key+" is a letter from A to G", letter)
			}
		}},
		{ID: "energy.letter", Number: 56, Run: func(p *Probe) {
			got := p.criterion(p.create(criteria("TypeBien", p.home(), "ConsoEner", "C", "GES", "B")), "ConsoEner")
			p.Want(got == "C", "ConsoEner is C", got)
		}},
		{ID: "position.used", Number: 58, Run: func(p *Probe) {
			id := p.create(criteria("Alentour", "45.764043,4.835659", "Ville", "Paris"))
			p.Want(p.criterion(id, "Alentour") == "45.764043,4.835659", "Alentour as it was sent", p.criterion(id, "Alentour"))
			got, ok := p.field(id, "position").(object)
			p.Want(ok && got["latitude"] == 45.764043 && got["longitude"] == 4.835659, "the position of Alentour", got)
		}},
		{ID: "value.flag", Number: 64, Run: func(p *Probe) {
			key := p.ofType("FLAG")
			id := p.create(criteria(key, 1))
			p.Want(fmt.Sprint(p.criterion(id, key)) == "1", key+" is 1", p.criterion(id, key))
			p.refuse(criteria(key, 2))
		}},
		{ID: "value.number", Number: 63, Run: func(p *Probe) {
			got := p.criterion(p.create(criteria("Surface", 93.5)), "Surface")
			p.Want(got == 93.5, "Surface is 93.5", got)
			p.refuse(criteria("Surface", "large"))
		}},
		{ID: "value.text", Number: 65, Run: func(p *Probe) {
			got := p.criterion(p.create(criteria("Ville", "L'Haÿ-les-Roses <&>")), "Ville")
			p.Want(got == "L'Haÿ-les-Roses <&>", "the text as it was sent", got)
		}},
		{ID: "value.multiple", Number: 66, Run: func(p *Probe) {
			key := p.ofType("MULTIPLE")
			codes := p.values("/criterias/product/" + key + "/values")
			codes = codes[:min(2, len(codes))]
			got, _ := p.criterion(p.create(criteria(key, codes)), key).(list)
			p.Want(len(got) == len(codes) && slices.Contains(got, any(codes[0])), fmt.Sprint(codes), got)
		}},
		{ID: "value.date", Number: 67, Run: func(p *Probe) {
			key := p.ofType("DATE")
			iso, slashes := p.criterion(p.create(criteria(key, "2024-03-25")), key), p.criterion(p.create(criteria(key, "25/03/2024")), key)
			p.Want(iso != nil && iso == slashes, "the same day in both formats", fmt.Sprint(iso, " and ", slashes))
		}},
		{ID: "create.snake_case.wins", Number: 234, Run: func(p *Probe) {
			id := p.create(object{"nextContact": "2030-01-02"})
			p.Want(p.field(id, "next_contact") == "2030-01-02", "next_contact by its camelCase name", p.field(id, "next_contact"))
			p.update(id, object{"nextContact": "2031-01-02", "next_contact": "2032-01-02"}).Is(204)
			p.Want(p.field(id, "next_contact") == "2032-01-02", "what next_contact says", p.field(id, "next_contact"))
		}},
	}
	for _, field := range []struct {
		name   string
		number int
		before any
		after  func(*Probe) any
	}{
		{"model", 157, nil, func(p *Probe) any { return p.reference() }},
		{"agency_id", 47, nil, func(p *Probe) any {
			if len(p.agencies()) < 2 {
				p.Skip("there is one agency in scope")
			}
			return p.agencies()[1]["agency_id"]
		}},
		{"user_id", 48, nil, func(p *Probe) any { return p.colleague() }},
		{"web_status", 49, true, func(*Probe) any { return false }},
		{"intercabinet", 50, true, func(*Probe) any { return false }},
		{"seller_statistics", 51, true, func(*Probe) any { return false }},
		{"next_contact", 52, "2030-01-02", func(*Probe) any { return "2031-03-04" }},
		{"color", 53, 1, func(*Probe) any { return 4 }},
	} {
		all = append(all, Check{ID: "update.field." + field.name, Number: field.number, Run: func(p *Probe) {
			fields := object{}
			if field.before != nil {
				fields[field.name] = field.before
			}
			id, after := p.create(fields), field.after(p)
			if field.before != nil {
				p.Want(p.field(id, field.name) == plain(field.before), fmt.Sprint(field.name, " is ", field.before), p.field(id, field.name))
			}
			p.update(id, object{field.name: after}).Is(204)
			p.Want(p.field(id, field.name) == plain(after), fmt.Sprint(field.name, " is ", after), p.field(id, field.name))
		}})
	}
	return writing(all)
}

// writing are checks that need to write besides what they need.
func writing(checks []Check) []Check {
	for i := range checks {
		checks[i].Needs |= Write
	}
	return checks
}

// refuse demands that a product is not created with some fields.
func (p *Probe) refuse(fields object) {
	body := object{"agency_id": p.agency(), "model": p.reference()}
	for name, value := range fields {
		body[name] = value
	}
	p.unmade(p.Post("/products", body), 422)
}

// unmade demands a refusal, and has what was made nevertheless deleted.
func (p *Probe) unmade(a *Answer, statuses ...int) {
	if id, ok := at(a.json, "data.id"); ok && a.Status < 300 {
		p.made(fmt.Sprintf("/products/%.0f", id))
	}
	a.Refused(statuses...)
}

func roomChecks() []Check {
	rooms := func(p *Probe, id int64) []object {
		a := p.Get(fmt.Sprintf("/products/%d?fetch=rooms", id)).Is(200)
		var all []object
		for i := range a.List("data.rooms") {
			all = append(all, a.Object(fmt.Sprint("data.rooms.", i)))
		}
		return all
	}
	code := func(p *Probe, list int) string { return p.values(fmt.Sprintf("/configs/listes/%d/values", list))[0] }
	all := []Check{
		{ID: "rooms.create", Number: 45, Run: func(p *Probe) {
			got := rooms(p, p.create(object{"rooms": list{object{"type": code(p, 1), "surface": 12.5, "commentaire": "conform"}}}))
			p.Want(len(got) == 1 && got[0]["type"] == code(p, 1) && got[0]["surface"] == 12.5 && got[0]["commentaire"] == "conform", "the room that was sent", got)
		}},
		{ID: "rooms.add", Number: 156, Run: func(p *Probe) {
			id := p.create(object{"rooms": list{object{"type": code(p, 1)}}})
			p.update(id, object{"rooms": list{object{"type": code(p, 1)}}}).Is(204)
			got := rooms(p, id)
			p.Want(len(got) == 2, "two rooms", got)
		}},
		{ID: "rooms.update", Number: 156, Run: func(p *Probe) {
			id := p.create(object{"rooms": list{object{"type": code(p, 1), "surface": 10}, object{"type": code(p, 1), "surface": 20}}})
			one := rooms(p, id)[0]
			p.update(id, object{"rooms": list{object{"id": one["id"], "surface": 33}}}).Is(204)
			got := rooms(p, id)
			p.Want(len(got) == 2 && got[0]["id"] == one["id"] && got[0]["surface"] == 33.0 && got[1]["surface"] == 20.0, "one of two rooms with another surface", got)
		}},
		{ID: "rooms.vue_sol", Number: 72, Run: func(p *Probe) {
			id := p.create(object{"rooms": list{object{"type": code(p, 1)}}})
			p.update(id, object{"rooms": list{object{"id": rooms(p, id)[0]["id"], "vue": code(p, 3), "sol": code(p, 4)}}}).Refused(422)
		}},
	}
	for i, field := range []string{"type", "exposition", "vue", "sol"} {
		all = append(all, Check{ID: "rooms.list." + field, Number: 70, Run: func(p *Probe) {
			room := object{"type": code(p, 1), field: code(p, i+1)}
			got := rooms(p, p.create(object{"rooms": list{room}}))
			p.Want(len(got) == 1 && got[0][field] == code(p, i+1), fmt.Sprint(field, " is ", code(p, i+1)), got)
			room[field] = "no such value"
			p.refuse(object{"rooms": list{room}})
		}})
	}
	return writing(all)
}

// picture is a PNG of some width, each of its own.
func (p *Probe) picture(width int) []byte {
	const height = 600
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for range 64 {
		picture.Set(rand.IntN(width), rand.IntN(height), color.RGBA{uint8(rand.IntN(256)), uint8(rand.IntN(256)), 0, 255}) //nolint:gosec // only to be another picture
	}
	var b bytes.Buffer
	_ = png.Encode(&b, picture) // memory takes what is written
	return b.Bytes()
}

// upload sends a form with a file under a name.
func (p *Probe) upload(path, name string, file []byte) *Answer {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, _ := form.CreateFormFile(name, "conform.png") // memory takes what is written
	_, _ = part.Write(file)
	_ = form.Close()
	return p.Send(http.MethodPost, path, b.String(), "Content-Type", form.FormDataContentType())
}

func pictureChecks() []Check {
	place := func(p *Probe, kind string) string {
		return fmt.Sprintf("/products/%d/pictures/%s", p.create(nil), kind)
	}
	return writing([]Check{
		{ID: "pictures.public", Number: 166, Run: func(p *Probe) { p.upload(place(p, "public"), "file", p.picture(800)).Is(204) }},
		{ID: "pictures.private", Number: 166, Run: func(p *Probe) { p.upload(place(p, "private"), "file", p.picture(800)).Is(204) }},
		{ID: "pictures.file.required", Number: 165, Run: func(p *Probe) { p.upload(place(p, "public"), "other", p.picture(800)).Refused(422) }},
		{ID: "pictures.width", Number: 224, Run: func(p *Probe) {
			at := place(p, "public")
			p.upload(at, "file", p.picture(799)).Refused(422)
			p.upload(at, "file", p.picture(801)).Is(204)
		}},
		{ID: "pictures.size", Number: 225, Needs: Slow, Run: func(p *Probe) {
			p.upload(place(p, "public"), "file", append(p.picture(800), make([]byte, 20<<20)...)).Refused(413, 422)
		}},
	})
}

func actionChecks() []Check {
	// kind is an action type for products that is active and has what is wished for.
	kind := func(p *Probe, ok func(object) bool) any {
		types := p.Get("/actions/types").Is(200).records()
		return first(p, "action type", types, func(o object) bool {
			return o["is_active"] != false && (o["target"] == nil || o["target"] == "product") && ok(o)
		})["id"]
	}
	children := func(o object) bool { items, _ := o["children"].(list); return len(items) > 0 }
	anything := func(object) bool { return true }
	act := func(p *Probe, id int64, fields object) *Answer {
		return p.Post(fmt.Sprintf("/products/%d/actions", id), fields)
	}
	all := []Check{
		{ID: "action.answer", Number: 173, Run: func(p *Probe) {
			id := p.create(nil)
			act(p, id, object{"action_id": kind(p, anything)}).Is(201).Equals("data.id", id)
		}},
		{ID: "action.required", Number: 170, Run: func(p *Probe) { act(p, p.create(nil), object{"result": "conform"}).Refused(422) }},
		{ID: "action.active", Number: 75, Run: func(p *Probe) { act(p, p.create(nil), object{"action_id": 999999999}).Refused(422) }},
		{ID: "action.404", Number: 173, Run: func(p *Probe) {
			p.Post("/products/"+unknownID+"/actions", object{"action_id": kind(p, anything)}).Refused(404)
		}},
		{ID: "action.history", Number: 172, Run: func(p *Probe) {
			id := p.create(nil)
			before := len(p.Get(fmt.Sprintf("/products/%d/actions", id)).Is(200).List("data"))
			act(p, id, object{"action_id": kind(p, children)}).Is(201)
			p.Want(len(p.Get(fmt.Sprintf("/products/%d/actions", id)).Is(200).List("data")) == before+1, "one action more in the history", "another number")
		}},
		{ID: "action.history.cursor", Number: 167, Run: func(p *Probe) {
			p.Get(fmt.Sprintf("/products/%d/actions?cursor=1", p.create(nil))).Is(200).List("data")
		}},
		{ID: "action.history.pages", Number: 168, Run: func(p *Probe) {
			id := p.create(nil)
			act(p, id, object{"action_id": kind(p, children)}).Is(201)
			a := p.Get(fmt.Sprintf("/products/%d/actions", id)).Is(200)
			p.Want(len(a.List("data")) > 0 && a.JSON("has_more") == false && a.JSON("next_cursor") == nil, "one page, and no next one", a)
		}},
		{ID: "action.log", Number: 171, Run: func(p *Probe) {
			id := p.create(nil)
			act(p, id, object{"action_id": kind(p, anything)}).Is(201)
			a := p.Get(fmt.Sprintf("/products/%d?fetch=log_actions", id)).Is(200)
			p.Want(len(a.List("data.log_actions")) > 0, "the action in the application log", a)
		}},
	}
	for _, field := range []struct {
		name   string
		number int
		value  func(*Probe) any
		wrong  any
	}{
		{"user_id", 76, func(p *Probe) any { return p.colleague() }, 999999999},
		{"result", 77, func(*Probe) any { return "conform" }, 12},
		{"date_performed", 78, func(*Probe) any { return "2026-01-02T10:00:00Z" }, "yesterday"},
	} {
		all = append(all, Check{ID: "action." + field.name, Number: field.number, Run: func(p *Probe) {
			id := p.create(nil)
			act(p, id, object{"action_id": kind(p, anything), field.name: field.value(p)}).Is(201)
			act(p, id, object{"action_id": kind(p, anything), field.name: field.wrong}).Refused(422)
		}})
	}
	return writing(all)
}

// customer makes one, which is deleted when the run ends.
func (p *Probe) customer(fields object) int64 {
	body := object{"agency_id": p.agency(), "firstname": "Conform", "lastname": p.reference(), "phone": "+33 6 39 98 00 01", "type": "ACQUEREUR"}
	for name, value := range fields {
		body[name] = value
	}
	a := p.Post("/customers", body)
	if a.Status == http.StatusUnprocessableEntity {
		p.Skip("the contract shows not all of a customer, and the server demands more: %s", a)
	}
	id := a.Is(200, 201).Int("data.id")
	p.made(fmt.Sprint("/customers/", id))
	return id
}

func customerChecks() []Check {
	return writing([]Check{
		{ID: "customer.create", Number: 16, Run: func(p *Probe) { p.customer(nil) }},
		{ID: "customer.found", Number: 15, Run: func(p *Probe) {
			address := p.reference() + "@conform.example"
			id := p.customer(object{"email": address})
			ids := p.Post("/customers/search", object{"email": address}).Is(200).IDs()
			p.Want(slices.Equal(ids, []int64{id}), "the customer", ids)
		}},
		{ID: "customer.found.phone", Number: 15, Run: func(p *Probe) {
			phone := fmt.Sprintf("+33 6 39 98 %02d %02d", rand.IntN(100), rand.IntN(100)) //nolint:gosec // a number of fiction
			id := p.customer(object{"phone": phone})
			p.Want(slices.Contains(p.Post("/customers/search", object{"phone": phone}).Is(200).IDs(), id), "the customer", "others")
		}},
		{ID: "lead.seller.named", Number: 189, Run: func(p *Probe) { p.Post("/leads/sellers", object{}).Refused(422) }},
	})
}
