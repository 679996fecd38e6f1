package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client/conform"
)

const (
	tokenCall = `^POST /api/client/token/site`
	searches  = `^POST /products/search(\?.*)?$`
	counts    = `^POST /products/search/count$`
	creations = `^POST /products$`
	changes   = `^PATCH /products/\d+$`
	reads     = `^GET /products/\d+(\?.*)?$`
	criterias = `^GET /products/\d+/criteria$`
	anything  = ``
	delivery  = `^DELIVERY`
)

// sabotages break a rule each.
func sabotages() []sabotage {
	all := []sabotage{
		{falls: "token.answer token.access_token token.manufacturer token.revoked", on: tokenCall, answer: behind(2, renamed("access_token"))},
		{falls: "token.domain token.domain.base", on: tokenCall, answer: behind(2, made("domain", "nowhere"))},
		{falls: "token.token_type", on: tokenCall, answer: behind(2, made("token_type", "bearer"))},
		{falls: "token.expires_in", on: tokenCall, answer: behind(2, made("expires_in", "3600"))},
		{falls: "token.refresh_token token.refreshed", on: tokenCall, answer: behind(2, renamed("refresh_token"))},
		{falls: "token.401.secret token.401.header errors.401.status", on: tokenCall, answer: status(401, 403)},
		{falls: "token.403.site token.403.manufacturer", on: tokenCall, answer: status(403, 404)},
		{falls: "token.404.site token.404.manufacturer", on: tokenCall, answer: status(404, 403)},
		{falls: "token.422.neither token.exactly_one token.refuses.grant", on: tokenCall, answer: status(422, 400)},
		{falls: "token.basic token.401.header errors.401.status errors.401.shape errors.401.request_id", on: tokenCall, ask: func(x *exchange) {
			if x.request.Header.Get("Authorization") == "" {
				x.request.SetBasicAuth("sandbox-network", "sandbox-network-secret")
			}
		}},
		{falls: "token.refreshed token.refuses.refresh", on: `^POST /api/client/token/refresh`, answer: func(x *exchange) { x.status = 500 }},
		{falls: "token.revoked", on: `^POST /api/client/token/revoke`, instead: func(*exchange) int { return 200 }},
		{falls: "token.scope", on: `^GET /discovery`, answer: made("data.-1.site_id", 77)},
		{falls: "token.second.own_site", on: `^GET /discovery`, answer: func(x *exchange) {
			each(x.got, "data.0.site_id", func(parent any, step string) {
				if o := parent.(object); o[step] == 2.0 {
					o[step] = 1
				}
			})
		}},
		{falls: "bearer.required bearer.first", on: `^(GET|POST) /(discovery|products/search|nowhere)`, ask: func(x *exchange) {
			if x.request.Header.Get("Authorization") == "" {
				x.request.Header.Set("X-Api-Key", "none")
				x.request.Header.Set("Authorization", "Bearer none")
			}
		}, answer: status(401, 200), wide: true},
		{falls: "bearer.unknown bearer.challenge", on: `^GET /discovery`, answer: status(401, 200)},
		{falls: "bearer.challenge", on: `^GET /discovery`, answer: header("WWW-Authenticate", "Basic")},

		{falls: "discovery.answer", on: `^GET /discovery`, answer: status(200, 206), wide: true},
		{falls: "discovery.manufacturers", on: `^GET /discovery`, answer: doubled},
		{falls: "discovery.agency_id.used count.filters", on: counts, answer: when(asks("agency_id"), status(200, 422))},
		{falls: "discovery.reaches", on: `^GET /agencies/12$`, answer: status(200, 404)},
		{falls: "agencies.answer agencies.item agencies.meta_links agencies.per_page agencies.pages", on: `^GET /agencies(\?.*)?$`, answer: status(200, 206)},
		{falls: "agencies.meta_links", on: `^GET /agencies$`, answer: renamed("meta")},
		{falls: "agencies.item", on: `^GET /agencies$`, answer: renamed("data.-1.id")},
		{falls: "agencies.pages", on: `^GET /agencies\?`, answer: renamed("links.next")},
		{falls: "agencies.per_page agencies.refuses.*", on: `^GET /agencies\?`, ask: unasked("per_page")},
		{falls: "agency.answer", on: `^GET /agencies/\d+$`, answer: made("data.id", 0)},
		{falls: "agency.users", on: `^GET /agencies/\d+$`, answer: renamed("data.users")},
		{falls: "agency.tag_document agency.refuses.format", on: `^GET /agencies/\d+\?format`, ask: unasked("format")},
		{falls: "agency.404", on: `^GET /agencies/999999999999`, answer: status(404, 400)},
		{falls: "agency.scope", on: `^GET /agencies/21`, answer: func(x *exchange) { x.status = 200 }},

		{falls: "answers.json", on: anything, answer: header("Content-Type", "text/html")},
		{falls: "answers.request_id answers.request_id.each errors.*.request_id headers.request_id.own requests.own", on: anything, answer: header("X-Request-Id", "")},
		{falls: "answers.request_id.each", on: `^GET /discovery`, answer: header("X-Request-Id", "7a8b6d4e-0000-4000-8000-000000000001")},
		{falls: "headers.request_id.own", on: `^GET /discovery`, answer: header("X-Request-Id", "7a8b6d4e-0000-4000-8000-000000000000")},
		{falls: "answers.base", on: `^GET /discovery$`, ask: func(x *exchange) { x.request.URL.Path = "/api/v2/site/discovery" }},
		{falls: "answers.version.prefix", on: `^GET /api/v1/site`, ask: func(x *exchange) { x.request.URL.Path = "/api/v2/site/discovery" }},
		{falls: "answers.snake_case", on: `^GET /agencies$`, answer: made("data.0.camelCase", 1)},
		{falls: "names.camel_case.accepted names.deprecated", on: counts, ask: unsent("statusWeb")},
		{falls: "names.snake_case.wins", on: counts, ask: when(asks("statusWeb"), unsent("status_web"))},
		{falls: "create.snake_case.wins", on: changes, ask: when(asks("nextContact"), unsent("next_contact"))},
		{falls: "names.deprecated", on: counts, answer: header("Deprecation", "")},
		{falls: "names.ignored create.ignored", on: anything, answer: header("X-Ignored-Fields", "")},

		{falls: "search.filter.products_admin_id*", on: searches, ask: unsent("products_admin_id")},
		{falls: "search.filter.model create.model.kept", on: searches, ask: unsent("model")},
		{falls: "search.filter.customer_id", on: searches, ask: unsent("customer_id")},
		{falls: "search.filter.agency_id search.agency.scope search.refuses.agency", on: searches, ask: unsent("agency_id")},
		{falls: "search.filter.last_modified", on: searches, ask: unsent("last_modified")},
		{falls: "search.filter.status_web web_status.published", on: searches, ask: unsent("status_web")},
		{falls: "search.filter.hasVisit360", on: searches, ask: unsent("hasVisit360")},
		{falls: "search.keyword.reference search.keyword.price", on: searches, ask: unsent("keyword")},
		{falls: "search.keyword.address", on: searches, answer: when(func(x *exchange) bool {
			text, _ := x.asked["keyword"].(string)
			return strings.Contains(text, " ") && !strings.Contains(text, "CONFORM")
		}, emptied)},
		{falls: "search.status_web.parts", on: counts, ask: unsent("status_web")},
		{falls: "search.hasVisit360.parts", on: counts, ask: unsent("hasVisit360")},
		{falls: "search.last_modified.bounds", on: counts, ask: unsent("last_modified")},
		{falls: "count.filters", on: counts, ask: unsent("model")},
		{falls: "search.spellings", on: counts, ask: unsent("web_status")},
		{falls: "search.operator.EGAL product.active.visible create.status.active search.text", on: searches, ask: operate("EGAL", "DIFFERENT")},
		{falls: "search.operator.DIFFERENT product.active.visible", on: searches, ask: operate("DIFFERENT", "EGAL")},
		{falls: "search.operator.SUPERIEUR", on: searches, ask: operate("SUPERIEUR", "EGAL")},
		{falls: "search.operator.INFERIEUR", on: searches, ask: operate("INFERIEUR", "EGAL")},
		{falls: "search.operator.CONTIENT", on: searches, ask: operate("CONTIENT", "DIFFERENT")},
		{falls: "search.operator.COMPREND", on: searches, ask: operate("COMPREND", "NE_COMPREND_PAS")},
		{falls: "search.operator.NE_COMPREND_PAS", on: searches, ask: operate("NE_COMPREND_PAS", "COMPREND")},
		{falls: "search.parts", on: counts, ask: operate("DIFFERENT", "EGAL")},
		{falls: "search.criterias.requires.*", on: searches, answer: status(422, 200), wide: true},
		{falls: "search.sort.unknown search.order.unknown errors.422.status", on: searches, answer: status(422, 400), wide: true},
		{falls: "search.order.default search.sort.id", on: searches, answer: when(func(x *exchange) bool { return x.asked["count"] == 10.0 }, backwards)},
		{falls: "search.answer", on: searches, answer: made("has_more", "no")},
		{falls: "search.has_more search.cursor.all", on: searches, answer: made("has_more", false)},
		{falls: "search.ids_only", on: searches, answer: when(alone(), made("data.0.model", "x"))},
		{falls: "search.hydrated", on: `^POST /products/search\?fetch=rooms$`, answer: items(func(l list) list { return list{object{"id": 1}} })},
		{falls: "search.fetch.list", on: `^POST /products/search\?fetch=.*,`, answer: status(200, 422)},
		{falls: "search.cursor.ascending search.cursor.all", on: searches, answer: when(alone(), backwards)},
		{falls: "search.cursor.all search.has_more", on: searches, answer: shortened, wide: true},
		{falls: "search.cursor.base64 search.cursor.all", on: searches, answer: when(func(x *exchange) bool { _, is := x.got.(object)["next_cursor"].(string); return is }, made("next_cursor", "MQ=="))},
		{falls: "search.cursor.ignores", on: searches, answer: when(asks("skip", 1.0), backwards)},
		{falls: "search.skip", on: searches, ask: unsent("skip")},
		{falls: "search.count json.numbers search.refuses.count.*", on: searches, ask: unsent("count")},
		{falls: "search.count.ids", on: searches, answer: when(asks("count", 2000.0), shortened)},
		{falls: "search.count.max search.offset.2000", on: searches, answer: when(func(x *exchange) bool { n, _ := x.asked["count"].(float64); return n >= 2000 }, func(x *exchange) {
			x.status, x.got = 200, object{"data": slices.Repeat(list{object{"id": 1}}, 2001)}
		})},
		{falls: "search.null", on: searches, ask: when(asks("keyword", nil), func(x *exchange) { x.asked["status_web"] = false })},
		{falls: "search.scope product.scope", on: searches, answer: when(alone(), func(x *exchange) {
			each(x.got, "data.0.id", func(parent any, step string) {
				if o := parent.(object); o[step] != 1.0 {
					o[step] = 1
				}
			})
		})},
		{falls: "search.modes", on: searches, answer: header("X-Pagination-Mode", "cursor")},
		{falls: "search.offset.no_cursor", on: searches, answer: when(asks("count", 1.0), made("next_cursor", "MQ=="))},
		{falls: "search.nothing", on: searches, ask: when(asks("keyword", "xyzzy"), unsent("keyword"))},
		{falls: "search.near", on: searches, ask: unsent("near")},
		{falls: "search.within", on: searches, ask: unsent("within")},
		{falls: "search.facets", on: `/facets$`, answer: made("data.0.values.0.count", 0)},
		{falls: "count.answer", on: counts, answer: renamed("count"), wide: true},

		{falls: "product.answer product.id", on: reads, answer: made("data.id", 0)},
		{falls: "product.base", on: reads, answer: func(x *exchange) {
			each(x.got, "data.id", func(parent any, _ string) {
				maps.DeleteFunc(parent.(object), func(name string, _ any) bool { return name != "id" })
			})
		}, wide: true},
		{falls: "product.404 errors.404.status", on: `^GET /products/999999999999$`, answer: status(404, 400)},
		{falls: "product.scope delete.product", on: reads, answer: status(404, 200), wide: true},
		{falls: "product.fetch", on: `^GET /products/\d+\?fetch=criteres_text,`, answer: status(200, 422)},
		{falls: "product.fetch.values product.fetch.blocks", on: `^GET /products/\d+\?fetch=themes$`, answer: status(200, 422)},
		{falls: "product.fetch.blocks", on: `^GET /products/\d+\?fetch=themes$`, answer: renamed("data.themes")},
		{falls: "product.criteria.answer", on: criterias, answer: renamed("data.-1.label")},
		{falls: "product.criteria.labels", on: criterias, answer: made("data.*.label", nil)},
		{falls: "product.lots.*", on: `/lots`, answer: status(200, 206)},
		{falls: "product.lots.lot", on: `^GET /products/\d+/lots$`, answer: func(x *exchange) { x.got = object{"data": list{object{"id": 0}}} }},
		{falls: "product.actions.answer action.history*", on: `^GET /products/\d+/actions`, answer: renamed("data")},
		{falls: "product.actions.404", on: `^GET /products/\d+/actions`, answer: status(404, 400)},
		{falls: "product.active.value", on: `/Statut/values$`, answer: items(func(l list) list {
			return slices.DeleteFunc(l, func(v any) bool { return v.(object)["model"] == "EnCours" })
		})},
		{falls: "criteria.all criteria.definition", on: `^GET /criterias/product/all$`, answer: status(200, 206), wide: true},
		{falls: "criteria.definition", on: `^GET /criterias/product/all$`, answer: made("data.-1.type", "LIST")},
		{falls: "criteria.one", on: `^GET /criterias/product/TypeBien$`, answer: made("data.values", list{})},
		{falls: "criteria.values criteria.value", on: `/TypeBien/values$`, answer: renamed("data.0.model")},
		{falls: "criteria.value", on: `/TypeBien/values$`, answer: renamed("data.0.label")},
		{falls: "criteria.common", on: `^GET /criterias/product/Ville$`, answer: made("data.type", "NUMBER")},
		{falls: "criteria.energy.numeric", on: `^GET /criterias/product/valeur_GES$`, answer: made("data.type", "TEXT")},
		{falls: "criteria.energy.letters", on: `/GES/values$`, answer: emptied},
		{falls: "criteria.position", on: criterias, answer: criterionMade("Alentour", always("nowhere"))},
		{falls: "criteria.type.NUMBER", on: criterias, answer: criterionMade("NbPieces", always("four"))},
		{falls: "criteria.type.TEXT", on: criterias, answer: criterionMade("CodePostal", always(69001))},
		{falls: "criteria.type.UNIQUE create.status.default", on: criterias, answer: criterionMade("Statut", always(301))},
		{falls: "criteria.type.MULTIPLE", on: criterias, answer: criterionMade("Annexes", always("CAVE"))},
		{falls: "criteria.type.FLAG", on: criterias, answer: criterionMade("Ascenseur", always("oui"))},
		{falls: "criteria.type.DATE", on: criterias, answer: criterionMade("DateMandat", always("hier"))},
		{falls: "lists.answer lists.four rooms.*", on: `^GET /configs/listes/1/values$`, answer: status(200, 206), wide: true},
		{falls: "lists.four", on: `^GET /configs/listes/2/values$`, ask: func(x *exchange) { x.request.URL.Path = "/api/v2/site/configs/listes/1/values" }},
		{falls: "users.named", on: `^GET /users$`, answer: status(200, 404)},
		{falls: "action_types.named action.answer", on: `^GET /actions/types$`, answer: status(200, 404), wide: true},
		{falls: "customers.search.named customers.search.contact", on: `^POST /customers/search$`, answer: renamed("data")},
		{falls: "customers.search.contact customer.found", on: `^POST /customers/search$`, ask: unsent("email")},
		{falls: "customer.found.phone", on: `^POST /customers/search$`, answer: when(asks("phone"), emptied)},

		{falls: "create.answer", on: creations, answer: status(201, 200), wide: true},
		{falls: "create.422 create.code.*", on: creations, answer: status(422, 400), wide: true},
		{falls: "create.criteria create.criteria.numeric_id energy.* position.used value.*", on: creations, ask: unsent("criteria"), wide: true},
		{falls: "create.model.kept", on: creations, ask: unsent("model")},
		{falls: "create.model.generated create.empty", on: creations, answer: when(alone("agency_id"), status(201, 422))},
		{falls: "create.status.default", on: criterias, answer: criterionMade("Statut", always(nil))},
		{falls: "create.scope", on: creations, answer: status(403, 500)},
		{falls: "create.status.active", on: creations, ask: func(x *exchange) {
			each(x.asked["criteria"], "*.value", func(parent any, step string) {
				if o := parent.(object); o["id"] == "Statut" {
					o[step] = "Vendu"
				}
			})
		}},
		{falls: "create.location", on: creations, answer: header("Location", "")},
		{falls: "update.answer", on: changes, answer: status(204, 200), wide: true},
		{falls: "update.product_id.*", on: changes, ask: func(x *exchange) { x.asked["product_id"] = path.Base(x.request.URL.Path) }},
		{falls: "update.only_provided", on: changes, ask: when(asks("web_status"), func(x *exchange) { x.asked["color"] = 5 })},
		{falls: "update.criteria.others_kept", on: changes, ask: when(asks("criteria"), func(x *exchange) {
			x.asked["criteria"] = append(x.asked["criteria"].(list), object{"id": "Ville", "value": nil})
		})},
		{falls: "update.400 update.details", on: changes, answer: status(400, 422)},
		{falls: "update.404 update.path_first", on: changes, answer: status(404, 400)},
		{falls: "update.422 color.bounds update.product_id.* rooms.vue_sol", on: changes, answer: status(422, 400)},
		{falls: "update.agency.scope update.scope", on: changes, answer: func(x *exchange) {
			if x.status == 403 || x.status == 404 {
				x.status = 500
			}
		}},
		{falls: "update.details", on: changes, answer: renamed("error.details")},
		{falls: "update.null", on: changes, ask: func(x *exchange) { maps.DeleteFunc(x.asked, func(_ string, value any) bool { return value == nil }) }},
		{falls: "web_status.published update.field.web_status", on: changes, ask: unsent("web_status"), wide: true},
		{falls: "energy.computed", on: criterias, answer: criterionMade("GES", always(nil))},
		{falls: "energy.letter", on: criterias, answer: criterionMade("ConsoEner", always("D"))},
		{falls: "position.used", on: reads, answer: made("data.position", nil)},
		{falls: "value.number", on: criterias, answer: criterionMade("Surface", always(94))},
		{falls: "value.text", on: criterias, answer: criterionMade("Ville", func(v any) any { return strings.ReplaceAll(fmt.Sprint(v), "&", "&amp;") })},
		{falls: "value.flag value.multiple value.date", on: criterias, answer: criterionMade("", always(nil)), wide: true},

		{falls: "rooms.create rooms.update rooms.list.*", on: creations, ask: unsent("rooms")},
		{falls: "rooms.add rooms.update rooms.vue_sol", on: changes, ask: unsent("rooms")},
		{falls: "pictures.public pictures.private pictures.width", on: `/pictures/`, answer: status(204, 201)},
		{falls: "pictures.file.required pictures.width", on: `/pictures/`, answer: status(422, 204)},
		{falls: "pictures.size", on: `/pictures/`, answer: func(x *exchange) { x.status = 204 }},
		{falls: "action.answer action.user_id action.result action.date_performed action.history action.history.pages action.log", on: `^POST /products/\d+/actions$`, answer: status(201, 200)},
		{falls: "action.answer", on: `^POST /products/\d+/actions$`, answer: made("data.id", 0)},
		{falls: "action.required action.active action.user_id action.result action.date_performed", on: `^POST /products/\d+/actions$`, answer: status(422, 400)},
		{falls: "action.404", on: `^POST /products/\d+/actions$`, answer: status(404, 400)},
		{falls: "action.history action.history.pages", on: `^GET /products/\d+/actions`, answer: emptied},
		{falls: "action.history.cursor", on: `^GET /products/\d+/actions\?cursor`, answer: status(200, 422)},
		{falls: "action.history.pages", on: `^GET /products/\d+/actions`, answer: made("has_more", true)},
		{falls: "action.log", on: `fetch=log_actions$`, answer: made("data.log_actions", list{})},
		{falls: "customer.*", on: `^POST /customers$`, answer: status(201, 500), wide: true},
		{falls: "customer.follow_up", on: `/follow-ups$`, answer: made("data.*.product_id", 0)},
		{falls: "lead.seller.named", on: `^POST /leads/sellers$`, answer: status(422, 400)},

		{falls: "hook.create", on: `^POST /hooks$`, answer: renamed("data.id"), wide: true},
		{falls: "hook.url.required hook.url.uri hook.origines.required hook.origines.validated hook.origines.dotted", on: `^POST /hooks$`, answer: status(422, 400)},
		{falls: "hook.origines hook.put.origines", on: `^PUT /hooks/`, answer: renamed("data.origines")},
		{falls: "hook.headers hook.put.headers", on: `^PUT /hooks/`, answer: renamed("data.headers")},
		{falls: "hook.id", on: `^PUT /hooks/`, answer: renamed("data.id")},
		{falls: "hook.url", on: `^PUT /hooks/`, answer: made("data.url", "https://elsewhere.example")},
		{falls: "hook.auth_id", on: `^PUT /hooks/`, answer: renamed("data.auth_id")},
		{falls: "hook.format", on: `^PUT /hooks/`, answer: renamed("data.format")},
		{falls: "hook.put.origines hook.put.422", on: `^PUT /hooks/`, ask: unsent("origines")},
		{falls: "hook.put.headers", on: `^PUT /hooks/`, ask: unsent("headers")},
		{falls: "hook.put.optional", on: `^PUT /hooks/`, answer: when(alone(), made("data.origines", list{}))},
		{falls: "hook.put.nullable", on: `^PUT /hooks/`, answer: when(asks("url", nil), status(200, 422))},
		{falls: "hook.put.404 hook.deleted", on: `^PUT /hooks/`, answer: status(404, 400)},
		{falls: "hook.read", on: `^GET /hooks/\d+$`, answer: made("data.status", "on")},

		{falls: "keys.repeated keys.other_request keys.gone keys.form keys.ambiguous", on: creations, ask: unsaid("Idempotency-Key")},
		{falls: "keys.refused", on: creations, answer: func() func(*exchange) {
			var refused sync.Map
			return func(x *exchange) {
				if key := x.request.Header.Get("Idempotency-Key"); x.status == 422 {
					refused.Store(key, true)
				} else if _, was := refused.Load(key); was && key != "" {
					x.status = 409
				}
			}
		}()},
		{falls: "conditions.read", on: anything, ask: unsaid("If-None-Match")},
		{falls: "conditions.write", on: changes, ask: unsaid("If-Match")},
		{falls: "conditions.repeated", on: changes, answer: func() func(*exchange) {
			var seen sync.Map
			return func(x *exchange) {
				if _, again := seen.LoadOrStore(x.line+x.request.Header.Get("If-Match"), true); again && x.request.Header.Get("If-Match") != "" {
					x.status = 412
				}
			}
		}()},
		{falls: "rooms.kept", on: changes, answer: when(func(x *exchange) bool { return x.status == 422 }, made("error.code", "other"))},
		{falls: "delete.product event.PRODUCT_DELETE", on: `^DELETE /products/`, instead: func(*exchange) int { return 204 }},
		{falls: "events.ledger", on: `^GET /events`, answer: backwards},
		{falls: "events.no_effect", on: changes, ask: when(asks("color", 3.0), func(x *exchange) { x.asked["color"] = 4 })},
		{falls: "headers.contract_version", on: `^GET /discovery`, answer: header("X-Contract-Version", "1.0.0")},
		{falls: "headers.private", on: `^GET /discovery`, answer: header("Set-Cookie", "a=b")},
		{falls: "methods.allow", on: anything, answer: header("Allow", "GET")},
		{falls: "methods.head", on: `^HEAD /discovery`, answer: status(200, 204)},
		{falls: "paths.slash", on: `^GET /discovery/$`, answer: status(200, 404)},
		{falls: "json.empty", on: searches, answer: when(func(x *exchange) bool { return x.asked == nil }, status(200, 422))},
		{falls: "json.media_types", on: anything, answer: when(func(x *exchange) bool { return x.request.Header.Get("Content-Type") == "text/plain" }, status(200, 415))},
		{falls: "json.last_key names.snake_case.wins", on: counts, answer: when(asks("status_web", false), func(x *exchange) {
			each(x.got, "count", func(parent any, step string) {
				parent.(object)[step] = parent.(object)[step].(float64) + float64(x.request.ContentLength)
			})
		}), wide: true},
		{falls: "query.lists", on: `fetch\[\]=`, ask: func(x *exchange) { x.request.URL.RawQuery = "" }},
		{falls: "query.meaningless", on: `^GET /site\?`, answer: status(200, 422)},
		{falls: "search.sort.whole", on: `^POST /products/search\?fetch=insee`, answer: backwards},
		{falls: "product.unpublished", on: reads, answer: when(func(x *exchange) bool {
			o, _ := x.got.(object)["data"].(object)
			return o["web_status"] == false
		}, status(200, 404)), wide: true},
		{falls: "fetch.empty", on: `fetch=$`, answer: status(200, 422)},
		{falls: "json.last_key.written", on: creations, ask: when(asks("color", 2.0), func(x *exchange) { x.asked["color"] = 1 })},
		{falls: "language.french", on: anything, ask: unsaid("Accept-Language")},
		{falls: "requests.own", on: `^GET /requests/`, answer: made("data.status", 200)},

		{falls: "delivery.post", on: delivery, ask: func(x *exchange) { x.request.Method = "PUT" }},
		{falls: "delivery.payload", on: delivery, ask: unsent("timestamp")},
		{falls: "delivery.pattern delivery.post delivery.feed event.*", on: delivery, ask: func(x *exchange) { x.asked["event_type"] = "product.create" }, wide: true},
		{falls: "delivery.headers", on: delivery, ask: unsaid("X-Conform")},
		{falls: "delivery.headers.authenticate", on: delivery, ask: unsaid("Authorization")},
		{falls: "delivery.named", on: delivery, ask: unsaid("X-Event-Type")},
		{falls: "delivery.signed", on: delivery, ask: func(x *exchange) { x.request.Header.Set("webhook-signature", "v1,x") }},
		{falls: "delivery.subscribed hook.origines", on: `^POST /hooks$`, ask: when(asks("origines"), func(x *exchange) {
			if l, _ := x.asked["origines"].(list); len(l) == 1 && l[0] == "PRODUCT_UPDATE" {
				x.asked["origines"] = list{"PRODUCT_UPDATE", "PRODUCT_CREATE"}
			}
		})},
		{falls: "delivery.feed.read", on: criterias, answer: criterionMade("Prix", always(1))},
		{falls: "delivery.422", on: delivery, answer: status(422, 500)},
		{falls: "delivery.422.active", on: delivery, instead: func() func(*exchange) int {
			var seen sync.Map
			return func(x *exchange) int {
				if _, again := seen.LoadOrStore(x.request.URL.Path, true); again {
					return 200
				}
				return 0
			}
		}(), wide: true},
		{falls: "delivery.put.url", on: `^PUT /hooks/`, ask: unsent("url")},
		{falls: "delivery.test", on: delivery, instead: lost("HOOK_TEST")},
		{falls: "delivery.retried delivery.growing delivery.three_retries delivery.suspended* delivery.reactivated", on: delivery, answer: status(500, 200)},
		{falls: "delivery.three_retries", on: delivery, ask: func(x *exchange) {
			if x.request.Header.Get("X-Delivery-Attempt") == "4" {
				twice(x)
			}
		}},
		{falls: "delivery.growing", on: delivery, ask: func(x *exchange) {
			if x.request.Header.Get("X-Delivery-Attempt") == "2" {
				time.Sleep(500 * time.Millisecond)
			}
		}},
		{falls: "delivery.reactivated delivery.suspended.silent", on: `^PUT /hooks/`, instead: func(*exchange) int { return 200 }, wide: true},
	}
	for _, field := range []string{"site_id", "agency_id", "name", "legal_name", "address", "postal_code", "city", "email", "phone", "siret", "siren"} {
		all = append(all, sabotage{falls: "discovery." + field, on: `^GET /discovery`, answer: renamed("data.-1." + field)})
	}
	for _, order := range []string{"id", "prix", "surface", "date", "date_added"} {
		all = append(all, sabotage{falls: "search.sort." + order, on: searches, answer: when(asks("sort_type", order), backwards)})
	}
	for _, field := range []string{"model", "agency_id", "user_id", "web_status", "intercabinet", "seller_statistics", "next_contact", "color"} {
		all = append(all, sabotage{falls: "update.field." + field, on: changes, ask: unsent(field), wide: true})
	}
	for _, event := range []string{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE", "CUSTOMER_CREATE", "CUSTOMER_UPDATE"} {
		all = append(all, sabotage{falls: "event." + event, on: delivery, instead: lost(event), wide: event == "PRODUCT_CREATE"})
	}
	for _, e := range []struct {
		status int
		name   string
	}{{401, "401"}, {404, "404"}, {422, "422"}} {
		broken := func(field string) func(*exchange) {
			return when(func(x *exchange) bool { return x.status == e.status }, func(x *exchange) {
				renamed(field)(x)
			})
		}
		all = append(all,
			sabotage{falls: "errors." + e.name + ".shape", on: anything, answer: broken("error.message"), wide: true},
			sabotage{falls: "errors." + e.name + ".request_id", on: anything, answer: broken("request_id")})
	}
	// One sabotage for all refusals of decisions: the code is another.
	return append(all, sabotage{
		falls: "search.refuses.* product.refuses.* products.refuses.* agencies.refuses.* agency.refuses.* query.broken* query.brackets search.unknown_filter.nearest " +
			"searches.unknown_filter paths.unknown paths.case media.* bearer.first bearer.one_line token.refuses.refresh json.malformed* search.cursor.invalid fetch.unknown products.ids keys.ambiguous",
		on: anything, answer: made("error.code", "other"), wide: true,
	})
}

// lost answers a delivery of an event, which the receiver never sees.
func lost(event string) func(*exchange) int {
	return func(x *exchange) int {
		if x.asked["event_type"] == event {
			return http.StatusOK
		}
		return 0
	}
}

// twice sends a delivery to the receiver another time.
func twice(x *exchange) {
	body, _ := json.Marshal(x.asked)
	if answer, err := http.Post(x.to+x.request.URL.Path, "application/json", bytes.NewReader(body)); err == nil {
		answer.Body.Close()
	}
}

// matches reports whether an ID is among patterns.
func matches(patterns, id string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool { ok, _ := path.Match(pattern, id); return ok })
}

func TestEachCheckHasItsSabotage(t *testing.T) {
	for _, c := range conform.Checks() {
		if !slices.ContainsFunc(sabotages(), func(s sabotage) bool { return matches(s.falls, c.ID) }) {
			t.Errorf("no sabotage turns %s red", c.ID)
		}
	}
}

// TestASabotageIsNoticed breaks a rule at a time between the kit and a server that keeps the contract: the checks that
// are named fall, and few of some others, of all others where everything is proven.
func TestASabotageIsNoticed(t *testing.T) {
	const groups = 4 // side by side, each in a world of its own
	for group := range groups {
		t.Run(fmt.Sprint(group), func(t *testing.T) {
			t.Parallel()
			w := ownWorld(t, deliveringTo("127.0.0.0/8:*"))
			for i, s := range sabotages() {
				if i%groups == group {
					t.Run(s.falls, func(t *testing.T) { noticed(t, w, s, i) })
				}
			}
		})
	}
}

// freeAddress is one of this machine at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// noticed makes the checks that a sabotage names, and others, through proxies that break the rule.
func noticed(t *testing.T, w *world, s sabotage, i int) {
	target := w.target()
	target.HTTP = nil
	target.URL = through(t, w.url, requestLine, s)
	options := everything
	options.Patience, options.Silence, options.Seed = 600*time.Millisecond, 2*time.Second, 1
	options.Only = strings.Fields(s.falls)
	others := 0
	for n, c := range conform.Checks() {
		if !matches(s.falls, c.ID) && (os.Getenv(proofVariable) != "" || n%15 == i%15 && c.Needs&conform.Slow == 0) {
			options.Only = append(options.Only, c.ID)
			others++
		}
	}
	var report conform.Report
	for range 5 { // somebody else may take the port meanwhile
		target.ReceiverListen = freeAddress(t)
		target.Receiver = through(t, "http://"+target.ReceiverListen, func(r *http.Request) string { return "DELIVERY " + r.URL.Path }, s)
		var err error
		if report, err = conform.Run(t.Context(), target, options); err == nil {
			break
		}
		if !strings.Contains(err.Error(), "address already in use") {
			t.Fatal(err)
		}
	}
	var more []string
	for _, r := range report.Checks {
		switch named := matches(s.falls, r.ID); {
		case named && r.Outcome != conform.Fell:
			t.Errorf("%s is %s %s", r.ID, r.Outcome, r.Reason)
		case !named && r.Outcome == conform.Fell:
			more = append(more, r.ID)
		}
	}
	if len(more) > 2+others/20 && !s.wide {
		t.Errorf("%d of %d others fall: %v", len(more), others, more)
	}
}
