package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// rule is who may call an operation, as the contract file says: the packs of
// which one is needed, the permission and the right.
type rule struct{ packs, permission, right string }

// contract is what the contract file says of the operations that need a token.
func contract(t *testing.T) map[string]rule {
	t.Helper()
	rules := map[string]rule{}
	for _, l := range apitest.Contract(t, "../../core") {
		if !strings.HasPrefix(l.ID, "token.") {
			rules[l.ID] = rule{strings.Join(l.Packs, " "), string(l.Permission), string(l.Right)}
		}
	}
	// The right to read one criterion comes with the right to list them all.
	all := rules["criteria.get"]
	all.right += " RS:CRITERE_PRODUCT_ALL"
	rules["criteria.get"] = all
	return rules
}

// every lists each word of some column of the contract file once.
func every(rules map[string]rule, column func(rule) string) []string {
	var words []string
	for _, r := range rules {
		words = append(words, strings.Fields(column(r))...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

var parameters = strings.NewReplacer("{agencyId}", "11", "{productId}", "999999", "{roomId}", "1", "{criteriaId}", "TypeBien", "{listeId}", "1", "{hookId}", "999999", "{deliveryId}", "1", "{authId}", "999999")

// attempt calls an operation with a body nobody can read, so that what is let in
// does nothing.
func (c *client) attempt(o kernel.Operation) answer {
	c.t.Helper()
	if o.Method == http.MethodGet || o.Method == http.MethodDelete {
		return c.send(o.Method, parameters.Replace(o.Path), nil)
	}
	return c.send(o.Method, parameters.Replace(o.Path), "{")
}

// H3: for every operation, who has just one pack, one permission or one right.
// Whoever is refused is so before the body is looked at.
func TestH3_TheMatrixOfRights(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		all := []string{"all"}
		var extra transfer.Setup
		grantees := map[string]transfer.SetupCredential{}
		add := func(sort, name string, packs, permissions, rights []string) {
			id := strings.ToLower("only-" + sort + "-" + strings.NewReplacer(":", "-", "_", "-").Replace(name))
			grantees[sort+" "+name] = transfer.SetupCredential{ID: id, Secret: id + "-secret", Sites: []int64{1}, Packs: packs, Permissions: permissions, Rights: rights}
			extra.Credentials = append(extra.Credentials, grantees[sort+" "+name])
		}
		matrix := contract(t)
		for _, name := range every(matrix, func(r rule) string { return r.packs }) {
			add("pack", name, []string{name}, all, all)
		}
		for _, name := range every(matrix, func(r rule) string { return r.permission }) {
			add("permission", name, all, []string{name}, all)
		}
		for _, name := range every(matrix, func(r rule) string { return r.right }) {
			add("right", name, all, all, []string{name})
		}
		if _, err := w.Transfer.Provision(t.Context(), extra); err != nil {
			t.Fatal(err)
		}
		ledger := w.network(t).ledger()
		for _, o := range w.Operations() {
			rule, known := matrix[o.ID]
			if !known {
				t.Errorf("%s is not in the matrix", o.ID)
				continue
			}
			for who, credential := range grantees {
				sort, name, _ := strings.Cut(who, " ")
				needed := map[string]string{"pack": rule.packs, "permission": rule.permission, "right": rule.right}[sort]
				got := w.as(t, credential.ID, 1).attempt(o)
				switch {
				case needed == "" || slices.Contains(strings.Fields(needed), name):
					if got.status == 401 || got.status == 403 {
						t.Errorf("%s with %s: %s", o.ID, who, got)
					}
				default:
					got.refused(403, sort+"_missing")
				}
			}
			for id, code := range map[string]string{"no-pack": "pack_missing", "no-permission": "permission_missing", "no-right": "right_missing"} {
				if got := w.as(t, id, 1).attempt(o); rule.packs != "" {
					got.refused(403, code)
				} else if strings.Contains(o.Path, "{") {
					got.is(404) // nothing has such a name
				} else {
					got.is(200)
				}
			}
		}
		ledger.tells()
		if len(matrix) != len(w.Operations()) {
			t.Errorf("the matrix has %d operations, the table %d", len(matrix), len(w.Operations()))
		}
	})
}

func TestH3_TokensThatAreNone(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.stranger(t)
		granted := c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
		revoked := c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
		c.form("/api/client/token/revoke", "sandbox-network", "sandbox-network-secret", url.Values{"token": {revoked.text("access_token")}}).is(200)
		ledger := w.network(t).ledger()
		for _, o := range w.Operations() {
			for name, token := range map[string]string{
				"none": "", "garbage": "garbage", "a refresh token": granted.text("refresh_token"), "a revoked one": revoked.text("access_token"),
				"a client secret": "sandbox-network-secret", "almost a token": granted.text("access_token") + "A",
			} {
				got := c.with(token).attempt(o).refused(401, "unauthenticated")
				if got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
					t.Errorf("%s with %s: %v", o.ID, name, got.header)
				}
			}
		}
		ledger.tells()
	})
}

// Rights that are taken away are gone at the next request, and so are
// credentials, sites and agencies.
func TestA19_ChangesHoldAtOnce(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		client := transfer.SetupCredential{ID: "changing", Secret: "changing-secret", Sites: []int64{2}, Packs: []string{"all"}, Permissions: []string{"all"}, Rights: []string{"all"}}
		provision := func(change func(*transfer.SetupCredential)) {
			t.Helper()
			now := client
			change(&now)
			if _, err := w.Transfer.Provision(t.Context(), transfer.Setup{Credentials: []transfer.SetupCredential{now}}); err != nil {
				t.Fatal(err)
			}
		}
		provision(func(*transfer.SetupCredential) {})
		c := w.as(t, "changing", 2)
		c.search(object{}).is(200)
		provision(func(now *transfer.SetupCredential) { now.Rights = []string{"RS:PRODUCT_GET"} })
		c.search(object{}).refused(403, "right_missing")
		provision(func(now *transfer.SetupCredential) { now.Disabled = true })
		c.search(object{}).refused(403, "site_disabled")
		provision(func(now *transfer.SetupCredential) { now.Sites = []int64{1} })
		c.search(object{}).refused(403, "site_out_of_scope")
		provision(func(*transfer.SetupCredential) {})
		c.search(object{}).is(200)
		if err := w.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "changing"); err != nil {
			t.Fatal(err)
		}
		c.search(object{}).refused(401, "unauthenticated")
	})
}

// H1: whatever a client does with the ids of others, it learns as much as from
// ids that do not exist, and nothing happens.
func TestH1_SitesAreIsolated(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		owner, rival := w.network(t), w.rival(t)
		target := owner.create(object{
			"model": "SECRET-" + t.Name(), "customer_id": 1006, "rooms": list{object{"type": "SEJOUR", "commentaire": "secret"}},
			"criteria": criteria("Ville", "Villesecrète", "Adresse", "1 rue Secrète", "Prix", 1234567),
		})
		owner.create(object{"parent_id": target})
		targetRoom := owner.get(product(target, "?fetch=rooms")).id("data.rooms.0.id")
		deleted := owner.create(nil)
		owner.delete(product(deleted)).is(204)
		mine := rival.create(object{"rooms": list{object{"type": "WC"}}})
		mineBefore, targetBefore := rival.whole(mine), owner.whole(target)
		const absent = 987654321
		theirs, ours := owner.ledger(), rival.ledger()

		// What differs between the answers about two ids is the ids alone.
		same := func(name string, foreign, missing int64, ask func(id int64) answer, statuses ...int) {
			t.Helper()
			got, want := ask(foreign), ask(missing)
			if got.status != want.status || !slices.Contains(statuses, got.status) {
				t.Errorf("%s: %s, and %s for what does not exist", name, got, want)
				return
			}
			if diff := cmp.Diff(anonymous(want, missing), anonymous(got, foreign)); diff != "" {
				t.Errorf("%s tells more than of what does not exist:\n%s", name, diff)
			}
			for _, secret := range []string{"secret", "Secr", "SECRET", "Bouchardon", "1234567"} {
				if strings.Contains(string(got.body), secret) {
					t.Errorf("%s tells %s: %s", name, secret, got)
				}
			}
		}
		for name, id := range map[string]int64{"another site's": target, "another site's deleted": deleted} {
			same(name+" product", id, absent, func(id int64) answer { return rival.get(product(id)) }, 404)
			same(name+" product, hydrated", id, absent, func(id int64) answer { return rival.get(product(id, "?fetch=customer,rooms")) }, 404)
			same(name+" product, badly", id, absent, func(id int64) answer { return rival.get(product(id, "?fetch=x")) }, 404)
			same(name+" criteria", id, absent, func(id int64) answer { return rival.get(product(id, "/criteria")) }, 404)
			same(name+" lots", id, absent, func(id int64) answer { return rival.get(product(id, "/lots")) }, 404)
			same(name+" update", id, absent, func(id int64) answer { return rival.change(id, object{"color": 1}) }, 404)
			same(name+" update, badly", id, absent, func(id int64) answer { return rival.change(id, object{"color": 9, "agency_id": 21}) }, 404)
			same(name+" update, unreadable", id, absent, func(id int64) answer { return rival.patch(product(id), "{") }, 404)
			same(name+" deletion", id, absent, func(id int64) answer { return rival.delete(product(id)) }, 404)
			same(name+" room", id, absent, func(id int64) answer { return rival.delete(product(id, fmt.Sprintf("/rooms/%d", targetRoom))) }, 404)
			same(name+" product_id", id, absent, func(id int64) answer { return rival.patch(product(mine), object{"product_id": id, "color": 1}) }, 422)
			same(name+" parent", id, absent, func(id int64) answer { return rival.post("/products", object{"parent_id": id}) }, 422)
			same(name+" filter by parent", id, absent, func(id int64) answer { return rival.search(object{"parent_id": id}) }, 200)
			same(name+" cursor", id, target+1, func(id int64) answer { return rival.search(object{"cursor": cursor(id), "model": "21-1001"}) }, 200)
		}
		same("room of mine", targetRoom, absent, func(id int64) answer { return rival.delete(product(mine, fmt.Sprintf("/rooms/%d", id))) }, 404)
		same("room in an update", targetRoom, absent, func(id int64) answer {
			return rival.change(mine, object{"rooms": list{object{"id": id, "type": "CAVE"}}})
		}, 422)
		same("agency", 11, absent, func(id int64) answer { return rival.get(fmt.Sprintf("/agencies/%d", id)) }, 404)
		for _, agency := range []int64{11, formerAgency} {
			same("agency of a new product", agency, absent, func(id int64) answer { return rival.post("/products", object{"agency_id": id}) }, 403)
			same("agency in an update", agency, absent, func(id int64) answer { return rival.change(mine, object{"agency_id": id}) }, 403)
			same("agency in a search", agency, absent, func(id int64) answer { return rival.search(object{"agency_id": id}) }, 403)
			same("agency in a count", agency, absent, func(id int64) answer { return rival.post("/products/search/count", object{"agency_id": id}) }, 403)
		}
		same("owner of a new product", 1006, absent, func(id int64) answer { return rival.post("/products", object{"customer_id": id}) }, 422)
		same("owner in a search", 1006, absent, func(id int64) answer { return rival.search(object{"customer_id": id}) }, 200)
		same("owner in a count", 1006, absent, func(id int64) answer { return rival.post("/products/search/count", object{"customer_id": id}) }, 200)
		same("agent of a new product", 101, absent, func(id int64) answer { return rival.post("/products", object{"user_id": id}) }, 422)
		same("agent in an update", 101, absent, func(id int64) answer { return rival.change(mine, object{"user_id": id}) }, 422)
		same("agent in a search", 101, absent, func(id int64) answer { return rival.search(object{"products_admin_id": list{id}}) }, 200)
		for _, body := range []object{
			{"model": "SECRET-" + t.Name()}, {"keyword": "secret"}, {"keyword": "Bouchardon"}, {"keyword": "1234567"},
			{"criterias": list{condition("Ville", "CONTIENT", "secrete")}}, {"criterias": list{condition("Prix", "EGAL", 1234567)}},
		} {
			if rival.count(body) != 0 || len(rival.walk(body)) != 0 || owner.count(body) == 0 {
				t.Errorf("%v is found by the rival, or not by the owner", body)
			}
		}
		for _, e := range rival.get("/events?after=0&limit=1000").is(200).list("data") {
			if e.(object)["agency_id"] != 21.0 {
				t.Errorf("the rival hears of %v", e)
			}
		}
		// The reference is free for others: it is the agency's own.
		rival.delete(product(rival.create(object{"model": "SECRET-" + t.Name()}))).is(204)
		if news := ours.news(); len(news) != 2 {
			t.Errorf("the rival's ledger tells %v", news)
		}
		theirs.tells()
		if diff := cmp.Diff(targetBefore, owner.whole(target)); diff != "" {
			t.Errorf("the owner's product changed:\n%s", diff)
		}
		if diff := cmp.Diff(mineBefore, rival.whole(mine)); diff != "" {
			t.Errorf("the rival's product changed:\n%s", diff)
		}
	})
}

var requestID = regexp.MustCompile(`"request_id":"[^"]*"`)

// anonymous is the body of an answer about an id, without the id.
func anonymous(a answer, id int64) string {
	body := requestID.ReplaceAllString(string(a.body), `"request_id":""`)
	return regexp.MustCompile(`\b`+strconv.FormatInt(id, 10)+`\b`).ReplaceAllString(body, "ID")
}

// The same holds for webhooks, their deliveries and the secrets they use.
func TestH1_WebhooksAreIsolated(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		owner, rival := w.network(t), w.rival(t)
		subscribe := func(c *client) int64 {
			t.Helper()
			return c.post("/hooks", object{"url": "https://hooks.example.org/" + t.Name(), "origines": list{"PRODUCT_UPDATE"}, "headers": object{"X-Api-Key": "secret"}}).is(201).id("data.id")
		}
		authenticate := func(c *client) int64 {
			t.Helper()
			return c.post("/hooks/auths", object{"name": "secret", "type": "bearer", "token": "secret"}).is(201).id("data.id")
		}
		target, auth, mine := subscribe(owner), authenticate(owner), subscribe(rival)
		defer func() { owner.delete(fmt.Sprintf("/hooks/%d", target)).is(204) }()
		defer func() { rival.delete(fmt.Sprintf("/hooks/%d", mine)).is(204) }()
		owner.change(owner.create(nil), object{"color": 1}).is(204)
		delivery := owner.get(fmt.Sprintf("/hooks/%d/deliveries", target)).is(200).id("data.0.id")
		before := owner.get(fmt.Sprintf("/hooks/%d", target)).is(200)
		deliveries := owner.get(fmt.Sprintf("/hooks/%d/deliveries", target)).is(200)

		const absent = 987654321
		for name, ask := range map[string]func(hook, auth int64) answer{
			"read": func(hook, _ int64) answer { return rival.get(fmt.Sprintf("/hooks/%d", hook)) },
			"update": func(hook, _ int64) answer {
				return rival.send("PUT", fmt.Sprintf("/hooks/%d", hook), object{"status": "suspended"})
			},
			"bad update": func(hook, _ int64) answer { return rival.send("PUT", fmt.Sprintf("/hooks/%d", hook), "{") },
			"delete":     func(hook, _ int64) answer { return rival.delete(fmt.Sprintf("/hooks/%d", hook)) },
			"test":       func(hook, _ int64) answer { return rival.post(fmt.Sprintf("/hooks/%d/test", hook), nil) },
			"deliveries": func(hook, _ int64) answer { return rival.get(fmt.Sprintf("/hooks/%d/deliveries", hook)) },
			"redeliver": func(hook, _ int64) answer {
				return rival.post(fmt.Sprintf("/hooks/%d/deliveries/%d/redeliver", hook, delivery), nil)
			},
			"replay": func(hook, _ int64) answer {
				return rival.post(fmt.Sprintf("/hooks/%d/replay", hook), object{"after_event_id": 0})
			},
			"secret":    func(hook, _ int64) answer { return rival.get(fmt.Sprintf("/hooks/%d/secret", hook)) },
			"rotate":    func(hook, _ int64) answer { return rival.post(fmt.Sprintf("/hooks/%d/secret/rotate", hook), nil) },
			"read auth": func(_, auth int64) answer { return rival.get(fmt.Sprintf("/hooks/auths/%d", auth)) },
			"update auth": func(_, auth int64) answer {
				return rival.send("PUT", fmt.Sprintf("/hooks/auths/%d", auth), object{"type": "bearer", "name": "x", "token": "y"})
			},
			"delete auth": func(_, auth int64) answer { return rival.delete(fmt.Sprintf("/hooks/auths/%d", auth)) },
			"use auth": func(_, auth int64) answer {
				return rival.send("PUT", fmt.Sprintf("/hooks/%d", mine), object{"auth_id": auth})
			},
			"create with it": func(_, auth int64) answer {
				return rival.post("/hooks", object{"url": "https://hooks.example.org", "origines": list{"PRODUCT_UPDATE"}, "auth_id": auth})
			},
		} {
			got, want := ask(target, auth), ask(absent, absent)
			if got.status != want.status || got.status != 404 && got.status != 422 {
				t.Errorf("%s: %s, and %s for what does not exist", name, got, want)
				continue
			}
			foreign := target
			if strings.Contains(name, "auth") || strings.Contains(name, "with it") {
				foreign = auth
			}
			if diff := cmp.Diff(anonymous(want, absent), anonymous(got, foreign)); diff != "" || strings.Contains(string(got.body), "secret") {
				t.Errorf("%s tells more than of what does not exist:\n%s", name, diff)
			}
		}
		rival.post(fmt.Sprintf("/hooks/%d/deliveries/%d/redeliver", mine, delivery), nil).refused(404, "not_found")
		for path, foreign := range map[string]int64{"/hooks": target, "/hooks/auths": auth} {
			if slices.Contains(rival.get(path).is(200).ids(), foreign) {
				t.Errorf("%s lists another site's", path)
			}
		}
		rival.change(rival.create(nil), object{"color": 1}).is(204)
		if diff := cmp.Diff(before.at("data"), owner.get(fmt.Sprintf("/hooks/%d", target)).is(200).at("data")); diff != "" {
			t.Errorf("the owner's webhook changed:\n%s", diff)
		}
		if diff := cmp.Diff(deliveries.at("data"), owner.get(fmt.Sprintf("/hooks/%d/deliveries", target)).is(200).at("data")); diff != "" {
			t.Errorf("the owner's deliveries changed:\n%s", diff)
		}
	})
}

// An agency of the own site outside the scope is not another site: there is
// something, and it is out of reach.
func TestG1_AgenciesOutsideTheScope(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		var id int64
		err := w.store.View(t.Context(), func(tx port.Tx) error {
			found, err := tx.Products().Holder(1, formerAgency, formerModel)
			id = int64(found)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		ledger := c.ledger()
		for _, got := range []answer{
			c.get(product(id)), c.get(product(id, "?fetch=customer")), c.get(product(id, "?fetch=x")), c.get(product(id, "/criteria")), c.get(product(id, "/lots")),
			c.change(id, object{"color": 1}), c.change(id, object{"color": 9}), c.change(id, object{"agency_id": 11}), c.patch(product(id), "{"),
			c.delete(product(id)), c.delete(product(id, "/rooms/1")), w.website(t).get(product(id)),
		} {
			if got.refused(403, "resource_out_of_scope"); strings.Contains(string(got.body), "Chambéry") || strings.Contains(string(got.body), formerModel) {
				t.Errorf("%s", got)
			}
		}
		w.rival(t).get(product(id)).refused(404, "not_found")
		c.post("/products", object{"agency_id": 11, "parent_id": id}).refused(422, "unknown_product", "parent_id")
		for _, body := range []object{{"keyword": formerModel}, {"keyword": "Chambéry"}, {"customer_id": 1301}, {"parent_id": id}} {
			if n := c.count(body); n != 0 {
				t.Errorf("%v finds %d", body, n)
			}
		}
		if slices.Contains(c.walk(object{}), id) {
			t.Error("a search finds it")
		}
		for _, e := range c.get("/events?after=0&limit=1000").is(200).list("data") {
			// That it is gone is what one has to hear (V6).
			gone := strings.HasSuffix(e.(object)["event_type"].(string), "_DELETE")
			if e.(object)["agency_id"] == float64(formerAgency) && !gone {
				t.Errorf("the ledger tells %v", e)
			}
		}
		ledger.tells()
	})
}

// Moving a product between agencies of the scope changes who sees it, and its
// events.
func TestV6_MovingBetweenAgencies(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"model": t.Name()})
		ledger := c.ledger()
		c.change(id, object{"agency_id": 12}).is(204)
		ledger.tells(fmt.Sprintf("PRODUCT_UPDATE %d", id))
		c.get(product(id)).equals("data.agency_id", 12).equals("data.model", t.Name())
		for agency, want := range map[int]int{11: 0, 12: 1} {
			if got := c.count(object{"agency_id": agency, "model": t.Name()}); got != want {
				t.Errorf("agency %d has %d", agency, got)
			}
		}
		free := c.create(object{"model": t.Name()}) // the reference is free in agency 11 again
		c.change(free, object{"agency_id": 12}).refused(422, "reference_taken", "model")
		ledger.tells(fmt.Sprintf("PRODUCT_CREATE %d", free))
		group := w.as(t, "sandbox-group", 1)
		group.change(id, object{"agency_id": 21}).refused(403, "agency_out_of_scope", "agency_id")
		w.as(t, "sandbox-group", 2).get(product(id)).refused(404, "not_found") // a token is bound to one site
	})
}
