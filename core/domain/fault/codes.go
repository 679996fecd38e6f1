package fault

// Code is a stable, machine-readable name of a fault. Codes are only ever
// added.
type Code string

// The catalogue. Each code is documented by its entry in Catalogue.
const (
	CodeMalformedJSON          Code = "malformed_json"
	CodeCriteriaValueUnknown   Code = "criteria_value_unrecognised"
	CodeInvalidClient          Code = "invalid_client"
	CodeUnauthenticated        Code = "unauthenticated"
	CodeTokenExpired           Code = "token_expired"
	CodeKeyExpired             Code = "key_expired"
	CodeAmbiguousCredentials   Code = "ambiguous_credentials"
	CodeForbidden              Code = "forbidden"
	CodeInvalidGrant           Code = "invalid_grant"
	CodePackMissing            Code = "pack_missing"
	CodePermissionMissing      Code = "permission_missing"
	CodeRightMissing           Code = "right_missing"
	CodeAgencyOutOfScope       Code = "agency_out_of_scope"
	CodeResourceOutOfScope     Code = "resource_out_of_scope"
	CodeSiteOutOfScope         Code = "site_out_of_scope"
	CodeSiteDisabled           Code = "site_disabled"
	CodeAddressNotAllowed      Code = "address_not_allowed"
	CodeFetchNotAllowed        Code = "fetch_not_allowed"
	CodeFilterNotAllowed       Code = "filter_not_allowed"
	CodeNotFound               Code = "not_found"
	CodeUnknownSite            Code = "unknown_site"
	CodeUnknownAgency          Code = "unknown_agency"
	CodeUnknownRoute           Code = "unknown_route"
	CodeMethodNotAllowed       Code = "method_not_allowed"
	CodeUnsupportedMediaType   Code = "unsupported_media_type"
	CodePayloadTooLarge        Code = "payload_too_large"
	CodeConflict               Code = "conflict"
	CodeRequestInProgress      Code = "request_in_progress"
	CodePreconditionFailed     Code = "precondition_failed"
	CodeValidationError        Code = "validation_error"
	CodeRequired               Code = "required"
	CodeInvalidType            Code = "invalid_type"
	CodeOutOfRange             Code = "out_of_range"
	CodeInvalidFormat          Code = "invalid_format"
	CodeExactlyOneOf           Code = "exactly_one_of"
	CodeUnknownCriterion       Code = "unknown_criterion"
	CodeDuplicateCriterion     Code = "duplicate_criterion"
	CodeCriterionInactive      Code = "criterion_inactive"
	CodeInvalidCriteriaValue   Code = "invalid_criteria_value"
	CodeInvalidCoordinates     Code = "invalid_coordinates"
	CodeOperatorNotSupported   Code = "operator_not_supported"
	CodeFacetNotSupported      Code = "facet_not_supported"
	CodeUnknownFilter          Code = "unknown_filter"
	CodeUnknownFetchValue      Code = "unknown_fetch_value"
	CodeInvalidCursor          Code = "invalid_cursor"
	CodeProductIDRequired      Code = "product_id_required"
	CodeProductIDMismatch      Code = "product_id_mismatch"
	CodeReferenceTaken         Code = "reference_taken"
	CodeNameTaken              Code = "name_taken"
	CodeRoomIDNotAllowed       Code = "room_id_not_allowed"
	CodeUnknownRoom            Code = "unknown_room"
	CodeVueSolExclusive        Code = "vue_sol_exclusive"
	CodeUnknownUser            Code = "unknown_user"
	CodeUnknownCustomer        Code = "unknown_customer"
	CodeUnknownProduct         Code = "unknown_product"
	CodeFileTooLarge           Code = "file_too_large"
	CodeUnsupportedImage       Code = "unsupported_image"
	CodeImageTooSmall          Code = "image_too_small"
	CodeImageTooLarge          Code = "image_too_large"
	CodeUnknownAction          Code = "unknown_action"
	CodeActionInactive         Code = "action_inactive"
	CodeUnknownSearch          Code = "unknown_search"
	CodeAlreadyAttached        Code = "already_attached"
	CodeCustomerAnonymized     Code = "customer_anonymized"
	CodeCustomerMerged         Code = "customer_merged"
	CodeInvalidTransition      Code = "invalid_transition"
	CodeOfferAccepted          Code = "offer_already_accepted"
	CodeAgreementExists        Code = "agreement_exists"
	CodeLeaseExists            Code = "lease_exists"
	CodeProductNotAvailable    Code = "product_not_available"
	CodeInTransaction          Code = "customer_in_transaction"
	CodeUnknownOffer           Code = "unknown_offer"
	CodeNotANotary             Code = "not_a_notary"
	CodeAmountsDisagree        Code = "amounts_disagree"
	CodePartyOnBothSides       Code = "party_on_both_sides"
	CodeConditionTooShort      Code = "condition_too_short"
	CodeRetractionExpired      Code = "retraction_expired"
	CodeNoticeTooLate          Code = "notice_too_late"
	CodeNoticeNotAllowed       Code = "notice_not_allowed"
	CodeNoIndexation           Code = "no_indexation"
	CodeRevisionTooEarly       Code = "revision_too_early"
	CodeAlreadyRevised         Code = "already_revised"
	CodeRevisionFrozen         Code = "revision_frozen"
	CodeUnknownIndexValue      Code = "unknown_index_value"
	CodeInvalidIndexation      Code = "invalid_indexation"
	CodeLeaseDuration          Code = "lease_duration"
	CodeDepositAboveCap        Code = "deposit_above_cap"
	CodeFeesAboveCap           Code = "fees_above_cap"
	CodeRentAboveReference     Code = "rent_above_reference"
	CodeChargesModeRefused     Code = "charges_mode_not_allowed"
	CodeRRuleNotSupported      Code = "rrule_not_supported"
	CodeRRuleOutOfStep         Code = "rrule_out_of_step"
	CodePeriodsOverlap         Code = "periods_overlap"
	CodePatternsOverlap        Code = "patterns_overlap"
	CodeExceptionsOverlap      Code = "exceptions_overlap"
	CodeUnknownAppointmentType Code = "unknown_appointment_type"
	CodeUnknownAttendee        Code = "unknown_attendee"
	CodeSlotTaken              Code = "slot_taken"
	CodeHoldExpired            Code = "hold_expired"
	CodeBookingClosed          Code = "booking_closed"
	CodeAlreadyBooked          Code = "already_booked"
	CodeAlreadyReported        Code = "already_reported"
	CodePermanenceOverlap      Code = "permanence_overlap"
	CodeUnknownEventType       Code = "unknown_event_type"
	CodeInvalidURL             Code = "invalid_url"
	CodeInvalidHeader          Code = "invalid_header"
	CodeUnknownAuth            Code = "unknown_auth"
	CodeAmbiguousField         Code = "ambiguous_field"
	CodeIdempotencyKeyReused   Code = "idempotency_key_reused"
	CodeRateLimited            Code = "rate_limited"
	CodeDailyQuotaExceeded     Code = "daily_quota_exceeded"
	CodeTooManySearches        Code = "too_many_searches"
	CodePollingProhibited      Code = "polling_prohibited"
	CodeInternalError          Code = "internal_error"
	CodeUnavailable            Code = "unavailable"
	CodeSiteMoving             Code = "site_moving"
	CodeSiteMoved              Code = "site_moved"
)

// Entry documents a code: the kinds of fault it comes with and what it means
// to the caller.
type Entry struct {
	Code    Code
	Kinds   []Kind
	Meaning string
}

// Catalogue lists every code a client can meet, in the order of the reference
// page. It is a function so that nobody can change it.
func Catalogue() []Entry {
	one := func(k Kind, c Code, meaning string) Entry { return Entry{c, []Kind{k}, meaning} }
	return []Entry{
		{CodeCriteriaValueUnknown, []Kind{Unrecognised, Invalid}, "a value is not a code of the criterion's referential (400 on product update, 422 elsewhere); the detail lists accepted values"},
		one(Unauthenticated, CodeInvalidClient, "the client id or secret of a token call is wrong or missing"),
		one(Unauthenticated, CodeUnauthenticated, "the bearer token or API key is missing, unknown or revoked"),
		one(Unauthenticated, CodeTokenExpired, "the bearer token has expired; refresh it"),
		one(Unauthenticated, CodeKeyExpired, "the API key has expired; ask for another one"),
		one(Unauthenticated, CodeAmbiguousCredentials, "the request has more than one line of Authorization and X-Api-Key together"),
		one(Forbidden, CodeForbidden, "the token does not allow the call"),
		one(Forbidden, CodeInvalidGrant, "the refresh token is expired, revoked, already used or another client's"),
		one(Forbidden, CodePackMissing, "the credential holds none of the packs of the operation"),
		one(Forbidden, CodePermissionMissing, "the credential lacks the permission of the operation"),
		one(Forbidden, CodeRightMissing, "the credential lacks the right of the operation"),
		one(Forbidden, CodeAgencyOutOfScope, "an agency_id is not one of the token's agencies"),
		one(Forbidden, CodeResourceOutOfScope, "the resource belongs to an agency outside the token's agencies"),
		one(Forbidden, CodeSiteOutOfScope, "the client may not obtain tokens for this site or agency"),
		one(Forbidden, CodeAddressNotAllowed, "the API key may not be sent from this address"),
		one(Forbidden, CodeSiteDisabled, "the site or the credential is disabled, or the site has no agency"),
		one(Forbidden, CodeFetchNotAllowed, "a fetch value needs a pack the credential lacks"),
		one(Forbidden, CodeFilterNotAllowed, "a filter is by something the credential is not shown"),
		one(NotFound, CodeNotFound, "there is no such resource"),
		{CodeUnknownSite, []Kind{NotFound, Invalid}, "no site has the given id (404 on token calls, 422 where credentials and API keys are made)"},
		one(NotFound, CodeUnknownAgency, "no agency has the given id"),
		one(NotFound, CodeUnknownRoute, "no operation has this path"),
		one(NotAllowed, CodeMethodNotAllowed, "the path exists, not with this method; see the Allow header"),
		one(Unsupported, CodeUnsupportedMediaType, "the operation does not read this content type or content encoding"),
		one(TooLarge, CodePayloadTooLarge, "the body is larger than the operation reads"),
		one(Conflict, CodeConflict, "the request contradicts the present state"),
		one(Conflict, CodeRequestInProgress, "the first request with this Idempotency-Key is still under way; repeat it in a moment"),
		one(Stale, CodePreconditionFailed, "the record is not at a version that If-Match names; read it again"),
		one(Invalid, CodeMalformedJSON, "the body is not one JSON object"),
		one(Invalid, CodeValidationError, "several fields are not valid, for different reasons; see details"),
		one(Invalid, CodeRequired, "a required field is missing"),
		one(Invalid, CodeInvalidType, "a field has the wrong JSON type"),
		one(Invalid, CodeOutOfRange, "a value is below its minimum or above its maximum"),
		one(Invalid, CodeInvalidFormat, "a value is not written as its field demands"),
		one(Invalid, CodeExactlyOneOf, "exactly one of several fields must be given"),
		one(Invalid, CodeUnknownCriterion, "no criterion has this key or id"),
		one(Invalid, CodeDuplicateCriterion, "the same criterion is written twice in one request"),
		one(Invalid, CodeCriterionInactive, "the criterion is not active for the site"),
		one(Invalid, CodeInvalidCriteriaValue, "the value does not have the type of its criterion"),
		one(Invalid, CodeInvalidCoordinates, "Alentour is not `lat,lng` in range"),
		one(Invalid, CodeOperatorNotSupported, "the operator does not apply to the criterion's type"),
		one(Invalid, CodeFacetNotSupported, "products cannot be counted by this criterion"),
		one(Invalid, CodeUnknownFilter, "a search or count has a field that does not exist; the message names the nearest, the detail those there are"),
		one(Invalid, CodeUnknownFetchValue, "a fetch value does not exist"),
		one(Invalid, CodeInvalidCursor, "the cursor is not one this API gave"),
		one(Invalid, CodeProductIDRequired, "product_id is required in a product update"),
		one(Invalid, CodeProductIDMismatch, "product_id differs from the id in the path"),
		one(Invalid, CodeReferenceTaken, "another product of the agency has this model"),
		one(Invalid, CodeNameTaken, "another credential has this id, or another API key of the credential this name"),
		one(Invalid, CodeRoomIDNotAllowed, "a room of a new product cannot have an id"),
		one(Invalid, CodeUnknownRoom, "the product has no room with this id"),
		one(Invalid, CodeVueSolExclusive, "vue and sol exclude each other on one room of an update"),
		one(Invalid, CodeUnknownUser, "no active user of the token's agencies has this id"),
		one(Invalid, CodeUnknownCustomer, "no customer of the token's agencies has this id"),
		one(Invalid, CodeUnknownProduct, "no product of the token's agencies has this id"),
		one(Invalid, CodeFileTooLarge, "a file has more bytes than it can have"),
		one(Invalid, CodeUnsupportedImage, "a file is not a JPEG, PNG or WebP image, or is damaged"),
		one(Invalid, CodeImageTooSmall, "an image has too few pixels"),
		one(Invalid, CodeImageTooLarge, "an image has too many pixels"),
		one(Invalid, CodeUnknownAction, "no action of this kind of resource has this action_id, or the action no child with this child_action_id"),
		one(Invalid, CodeActionInactive, "the action, or the child action, is not active for the site"),
		one(Invalid, CodeUnknownSearch, "the customer has no search request with this id"),
		one(Conflict, CodeAlreadyAttached, "the product is attached to the customer's follow-up already; the detail names the follow-up"),
		one(Conflict, CodeCustomerAnonymized, "the customer was anonymised, and nothing can be added to what is left of them"),
		{CodeCustomerMerged, []Kind{Gone, Invalid}, "the record was joined with another one of the same person, whose id the detail has (410 for a path, 422 for a field)"},
		one(Conflict, CodeInvalidTransition, "the status of the record does not admit this; the detail has the status"),
		one(Conflict, CodeOfferAccepted, "another offer for the product is accepted; the detail has its id"),
		one(Conflict, CodeAgreementExists, "there is an agreement already; the detail has its id"),
		one(Conflict, CodeLeaseExists, "another lease of the product has a day in common; the detail has its id"),
		one(Conflict, CodeProductNotAvailable, "the product is sold, let or archived; the detail has its status"),
		one(Conflict, CodeInTransaction, "the customer is a party to a transaction that is under way; the details name the records"),
		one(Invalid, CodeUnknownOffer, "no offer for the product has this id"),
		one(Invalid, CodeNotANotary, "the customer is no notary"),
		one(Invalid, CodeAmountsDisagree, "amounts contradict each other: a part is above its whole"),
		one(Invalid, CodePartyOnBothSides, "a customer is on both sides of a transaction"),
		one(Invalid, CodeConditionTooShort, "a condition of a loan ends before the law admits"),
		one(Conflict, CodeRetractionExpired, "the period in which a buyer may withdraw was over"),
		one(Conflict, CodeNoticeTooLate, "a notice was received too late for the present term; the detail has the last day"),
		one(Conflict, CodeNoticeNotAllowed, "the law knows no such notice for the type of lease"),
		one(Conflict, CodeNoIndexation, "the lease has no index to revise its rent by"),
		one(Conflict, CodeRevisionFrozen, "the rent of a dwelling with this energy letter does not rise"),
		one(Conflict, CodeRevisionTooEarly, "the lease has not run for a year"),
		one(Conflict, CodeAlreadyRevised, "the rent of this year is revised already"),
		one(Invalid, CodeUnknownIndexValue, "an index has no value for a quarter"),
		one(Invalid, CodeInvalidIndexation, "the type of lease does not follow this index"),
		one(Invalid, CodeLeaseDuration, "the law admits other durations for the type of lease"),
		one(Invalid, CodeDepositAboveCap, "the deposit of a lease is above what the law admits"),
		one(Invalid, CodeFeesAboveCap, "the fees of tenants are above what the law admits, or above those of landlords"),
		one(Invalid, CodeRentAboveReference, "the rent is above the highest where rents are controlled"),
		one(Invalid, CodeChargesModeRefused, "the charges of the type of lease are paid in another way"),
		one(Invalid, CodeRRuleNotSupported, "a recurrence rule has a part, or a combination of parts, that is not supported"),
		one(Invalid, CodeRRuleOutOfStep, "an event does not begin with the first occurrence of its recurrence rule"),
		one(Invalid, CodePeriodsOverlap, "periods of a day overlap, or are not in ascending order"),
		one(Invalid, CodePatternsOverlap, "two patterns of working time are valid from the same day"),
		one(Invalid, CodeExceptionsOverlap, "two exceptions of working time cover the same day"),
		one(Invalid, CodeUnknownAppointmentType, "no active type of calendar event has this model"),
		one(Invalid, CodeUnknownAttendee, "nobody who attends the event has this id"),
		one(Conflict, CodeSlotTaken, "the time is not free; nothing was written"),
		one(Conflict, CodeHoldExpired, "the hold has expired, was used or ended, or its token is wrong"),
		one(Conflict, CodeBookingClosed, "the product cannot be booked, or the booking not be changed any more"),
		one(Conflict, CodeAlreadyBooked, "the customer has a booking of the product ahead of them"),
		one(Conflict, CodeAlreadyReported, "there is a report about this customer, product and occurrence"),
		one(Conflict, CodePermanenceOverlap, "another duty of the user overlaps; the detail has its id"),
		one(Invalid, CodeUnknownEventType, "no event has this name"),
		one(Invalid, CodeInvalidURL, "the url cannot be subscribed"),
		one(Invalid, CodeInvalidHeader, "a custom header is malformed, reserved or too much"),
		one(Invalid, CodeUnknownAuth, "no authentication configuration has this auth_id"),
		one(Invalid, CodeAmbiguousField, "two spellings of the same field are both present, or the same entry of a list twice"),
		one(Invalid, CodeIdempotencyKeyReused, "another request was sent with this Idempotency-Key"),
		one(Limited, CodeRateLimited, "too many requests; see Retry-After"),
		one(Limited, CodeDailyQuotaExceeded, "the credential sent as many requests as it may in a day, which ends at midnight UTC; see Retry-After"),
		one(Limited, CodeTooManySearches, "the credential has as many searches with fetch under way as it may; wait for one of them"),
		one(Limited, CodePollingProhibited, "polling for changes is prohibited; use webhooks"),
		one(Internal, CodeInternalError, "the service failed; quote the request_id to support"),
		one(Unavailable, CodeUnavailable, "the service cannot answer right now; see Retry-After"),
		one(Unavailable, CodeSiteMoving, "the site is being moved to another database, and cannot be changed for some seconds; see Retry-After"),
		one(Moved, CodeSiteMoved, "the site is at another address; send the same request there, see Location"),
	}
}
