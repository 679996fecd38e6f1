-- The tables of both engines: BIGINT, TEXT, BOOLEAN and DOUBLE PRECISION only.
-- Instants are microseconds since 1970 UTC; NULL stands for "never". Nested
-- values are JSON in TEXT and never queried. Tables of a site's data lead with
-- site_id, so that they can be partitioned or distributed by it; site, agency,
-- credential, token and token_family form the directory that says which site a
-- request is about. Many records are read and written whole: body is one JSON
-- value, and the other columns are what they are found and sorted by.

-- +goose Up

-- The database.

-- Facts about the installation, by key.
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Where the database was when its numbers were last moved on, in one row. timeline counts how
-- often they were. The engine says where it is now.
CREATE TABLE lineage (
    id        BIGINT NOT NULL PRIMARY KEY,
    place     TEXT   NOT NULL,
    cluster   TEXT   NOT NULL,
    timeline  BIGINT NOT NULL,
    since     BIGINT
);

-- Sites and what is set for them.

CREATE TABLE site (
    id                BIGINT  NOT NULL PRIMARY KEY,
    name              TEXT    NOT NULL,
    disabled          BOOLEAN NOT NULL,
    default_status    TEXT    NOT NULL,
    time_zone         TEXT    NOT NULL,
    currency          TEXT    NOT NULL,
    country           TEXT    NOT NULL,
    language          TEXT    NOT NULL,
    reference_pattern TEXT    NOT NULL,
    agencies          TEXT    NOT NULL,
    energy_scales     TEXT    NOT NULL DEFAULT 'null',
    user_groups       TEXT    NOT NULL DEFAULT '[]',
    indices           TEXT    NOT NULL DEFAULT '[]',
    fee_caps          TEXT    NOT NULL DEFAULT '[]'
);

-- The numbers of a site that its clients are told. rejections counts the changes of table
-- rejection. state is 0 for all sites that do not move from one database
-- to another; the columns after it say how those stand.
CREATE TABLE site_head (
    site_id     BIGINT NOT NULL PRIMARY KEY,
    seq         BIGINT NOT NULL,
    last_at     BIGINT NOT NULL,
    settings    BIGINT NOT NULL,
    access      BIGINT NOT NULL,
    rejections  BIGINT NOT NULL DEFAULT 0,
    state       BIGINT NOT NULL DEFAULT 0,
    move_id     TEXT   NOT NULL DEFAULT '',
    moved_to    TEXT   NOT NULL DEFAULT '',
    moved_until BIGINT
);

CREATE TABLE agency (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX agency_by_id ON agency (id);

CREATE TABLE site_user (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE criterion (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE list (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE action_type (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- Who may send requests.

-- former_secret is the secret before the last rotation.
CREATE TABLE credential (
    id            TEXT    NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL,
    secret        TEXT    NOT NULL,
    sites         TEXT    NOT NULL,
    packs         TEXT    NOT NULL,
    permissions   TEXT    NOT NULL,
    rights        TEXT    NOT NULL,
    disabled      BOOLEAN NOT NULL,
    added_at      BIGINT,
    revoked_at    BIGINT,
    former_secret TEXT    NOT NULL DEFAULT '',
    former_until  BIGINT
);

CREATE TABLE token_family (
    id            BIGINT  NOT NULL PRIMARY KEY,
    credential_id TEXT    NOT NULL,
    site_id       BIGINT  NOT NULL,
    started_at    BIGINT,
    revoked       BOOLEAN NOT NULL
);
CREATE INDEX token_family_by_credential ON token_family (credential_id);

-- A refresh token knows which one it came from, how many pairs it gave, and whether
-- its successors went on.
CREATE TABLE token (
    hash          TEXT    NOT NULL PRIMARY KEY,
    family_id     BIGINT  NOT NULL,
    credential_id TEXT    NOT NULL,
    site_id       BIGINT  NOT NULL,
    refresh       BOOLEAN NOT NULL,
    issued_at     BIGINT,
    expires_at    BIGINT,
    rotated_at    BIGINT,
    revoked       BOOLEAN NOT NULL,
    parent_hash   TEXT    NOT NULL DEFAULT '',
    pairs         BIGINT  NOT NULL DEFAULT 0,
    succeeded     BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX token_by_expiry ON token (expires_at, hash);
CREATE INDEX token_by_family ON token (family_id);

CREATE TABLE api_key (
    site_id       BIGINT NOT NULL,
    id            BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    hash          TEXT   NOT NULL,
    body          TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX api_key_by_hash ON api_key (hash, site_id, id);
CREATE INDEX api_key_by_credential ON api_key (credential_id, site_id, id);

-- How many requests each credential sent on a day, which its daily quota is
-- compared with.
CREATE TABLE credential_usage (
    day           BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    requests      BIGINT NOT NULL,
    PRIMARY KEY (day, credential_id)
);

-- When credentials and keys were last used.
CREATE TABLE credential_use (
    credential_id TEXT   NOT NULL,
    key_id        BIGINT NOT NULL,
    used_at       BIGINT,
    PRIMARY KEY (credential_id, key_id)
);

-- What was answered to requests with an Idempotency-Key. Answers are sealed: they
-- may hold secrets and personal data. Those about a customer are found by it, to be removed.
CREATE TABLE receipt (
    site_id       BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    operation     TEXT   NOT NULL,
    request_key   TEXT   NOT NULL,
    fingerprint   TEXT   NOT NULL,
    answer        TEXT   NOT NULL,
    added_at      BIGINT,
    customer_id   BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (site_id, credential_id, operation, request_key)
);
CREATE INDEX receipt_by_age ON receipt (added_at);
CREATE INDEX receipt_of_customer ON receipt (site_id, customer_id) WHERE customer_id <> 0;

-- Products.

-- energy_derived and climate_derived say which energy letters were computed, and
-- energy_regime off which scale. geocoded is what a geocoder said about the address, and empty
-- until somebody has asked. pictures is what is known of the pictures, in order: their content is
-- kept elsewhere. A deleted product is kept for a while, whole; when it is purged, only what
-- keeps its id and reference taken is.
CREATE TABLE product (
    site_id           BIGINT  NOT NULL,
    id                BIGINT  NOT NULL,
    agency_id         BIGINT  NOT NULL,
    user_id           BIGINT  NOT NULL,
    customer_id       BIGINT  NOT NULL,
    parent_id         BIGINT  NOT NULL,
    reference         TEXT    NOT NULL,
    web_status        BOOLEAN NOT NULL,
    intercabinet      BOOLEAN NOT NULL,
    seller_statistics BOOLEAN NOT NULL,
    next_contact      TEXT    NOT NULL,
    color             BIGINT  NOT NULL,
    created_by        BIGINT  NOT NULL,
    added_at          BIGINT,
    modified_at       BIGINT,
    deleted_at        BIGINT,
    version           BIGINT  NOT NULL,
    reference_key     TEXT    NOT NULL,
    criteria          TEXT    NOT NULL,
    rooms             TEXT    NOT NULL,
    descriptions      TEXT    NOT NULL,
    energy_derived    BOOLEAN NOT NULL DEFAULT FALSE,
    climate_derived   BOOLEAN NOT NULL DEFAULT FALSE,
    energy_regime     TEXT    NOT NULL DEFAULT '',
    geocoded          TEXT    NOT NULL DEFAULT '',
    pictures          TEXT    NOT NULL DEFAULT 'null',
    purged            BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX product_reference ON product (site_id, agency_id, reference_key);
CREATE INDEX product_of_customer ON product (site_id, customer_id, id)
    WHERE customer_id <> 0 AND deleted_at IS NULL;
CREATE INDEX product_of_parent ON product (site_id, parent_id) WHERE parent_id <> 0 AND deleted_at IS NULL;
CREATE INDEX product_deleted ON product (deleted_at) WHERE deleted_at IS NOT NULL AND NOT purged;

CREATE TABLE reference_counter (
    site_id     BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    last_number BIGINT NOT NULL,
    PRIMARY KEY (site_id, agency_id)
);

-- Imports that run in the background, and the report of each, a row per listing.
CREATE TABLE import_run (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    seen_at BIGINT,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX import_run_by_age ON import_run (seen_at, site_id, id);

CREATE TABLE import_line (
    site_id BIGINT NOT NULL,
    run_id  BIGINT NOT NULL,
    number  BIGINT NOT NULL,
    action  TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, run_id, number)
);

-- Customers, what they look for, and what was done with them.

-- profile is one JSON value that is read and written whole. haystack is the folded text that
-- customers are searched by.
CREATE TABLE customer (
    site_id       BIGINT  NOT NULL,
    id            BIGINT  NOT NULL,
    agency_id     BIGINT  NOT NULL,
    user_id       BIGINT  NOT NULL,
    type          TEXT    NOT NULL,
    civility      TEXT    NOT NULL,
    firstname     TEXT    NOT NULL,
    lastname      TEXT    NOT NULL,
    company       TEXT    NOT NULL,
    color         BIGINT  NOT NULL,
    added_at      BIGINT,
    modified_at   BIGINT,
    archived      BOOLEAN NOT NULL DEFAULT FALSE,
    version       BIGINT  NOT NULL DEFAULT 0,
    haystack      TEXT    NOT NULL DEFAULT '',
    sort_name     TEXT    NOT NULL DEFAULT '',
    profile       TEXT    NOT NULL DEFAULT '{}',
    anonymized_at BIGINT,
    PRIMARY KEY (site_id, id)
);

-- A row per e-mail address and phone number.
CREATE TABLE customer_contact (
    site_id     BIGINT NOT NULL,
    contact_key TEXT   NOT NULL,
    customer_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, contact_key, customer_id)
);
CREATE INDEX contact_of_customer ON customer_contact (site_id, customer_id);

-- Which record a record of the same person was joined with. The id is the one that is gone.
CREATE TABLE merged_customer (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE search_request (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX search_request_of_customer ON search_request (site_id, customer_id, id);

CREATE TABLE follow_up (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX follow_up_of_customer ON follow_up (site_id, customer_id, id);

CREATE TABLE lead (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX lead_of_customer ON lead (site_id, customer_id, id);

-- claim_key is a digest of an e-mail address or a phone number.
CREATE TABLE lead_claim (
    site_id    BIGINT NOT NULL,
    claim_key  TEXT   NOT NULL,
    lead_id    BIGINT NOT NULL,
    claimed_at BIGINT NOT NULL,
    PRIMARY KEY (site_id, claim_key)
);
CREATE INDEX lead_claim_of_lead ON lead_claim (site_id, lead_id);

-- What was done about products and customers, and what the system logs about
-- them (type_id 0).
CREATE TABLE action (
    site_id       BIGINT NOT NULL,
    id            BIGINT NOT NULL,
    subject_kind  TEXT   NOT NULL,
    subject_id    BIGINT NOT NULL,
    type_id       BIGINT NOT NULL,
    child_id      BIGINT NOT NULL,
    label         TEXT   NOT NULL,
    user_id       BIGINT NOT NULL,
    customer_id   BIGINT NOT NULL,
    result        TEXT   NOT NULL,
    credential_id TEXT   NOT NULL,
    performed_at  BIGINT,
    added_at      BIGINT,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX action_about ON action (site_id, subject_kind, subject_id, id);
CREATE INDEX action_with ON action (site_id, customer_id, id) WHERE customer_id <> 0;

-- Offers, sale agreements and leases. The three have the same columns. day counts the days
-- from 1 January of year 1, amount is in cents, due_at and later_at are when the clock next
-- changes the status and to what. Each has a row per party.

CREATE TABLE sale_offer (
    site_id      BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    agency_id    BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    product_id   BIGINT NOT NULL,
    offer_id     BIGINT NOT NULL,
    type         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    due_at       BIGINT,
    due_status   TEXT   NOT NULL,
    later_at     BIGINT,
    later_status TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    added_at     BIGINT NOT NULL,
    modified_at  BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX sale_offer_of_agency ON sale_offer (site_id, agency_id, id);
CREATE INDEX sale_offer_of_product ON sale_offer (site_id, product_id, id);
CREATE INDEX sale_offer_due ON sale_offer (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE sale_offer_link (
    site_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    linked_id BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    from_at   BIGINT NOT NULL,
    record_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, linked_id, until_at, from_at, record_id)
);
CREATE INDEX link_of_sale_offer ON sale_offer_link (site_id, record_id);

CREATE TABLE sale_agreement (
    site_id      BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    agency_id    BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    product_id   BIGINT NOT NULL,
    offer_id     BIGINT NOT NULL,
    type         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    due_at       BIGINT,
    due_status   TEXT   NOT NULL,
    later_at     BIGINT,
    later_status TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    added_at     BIGINT NOT NULL,
    modified_at  BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX sale_agreement_of_agency ON sale_agreement (site_id, agency_id, id);
CREATE INDEX sale_agreement_of_product ON sale_agreement (site_id, product_id, id);
CREATE INDEX sale_agreement_due ON sale_agreement (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE sale_agreement_link (
    site_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    linked_id BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    from_at   BIGINT NOT NULL,
    record_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, linked_id, until_at, from_at, record_id)
);
CREATE INDEX link_of_sale_agreement ON sale_agreement_link (site_id, record_id);

CREATE TABLE letting (
    site_id      BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    agency_id    BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    product_id   BIGINT NOT NULL,
    offer_id     BIGINT NOT NULL,
    type         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    due_at       BIGINT,
    due_status   TEXT   NOT NULL,
    later_at     BIGINT,
    later_status TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    added_at     BIGINT NOT NULL,
    modified_at  BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX letting_of_agency ON letting (site_id, agency_id, id);
CREATE INDEX letting_of_product ON letting (site_id, product_id, id);
CREATE INDEX letting_due ON letting (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE letting_link (
    site_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    linked_id BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    from_at   BIGINT NOT NULL,
    record_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, linked_id, until_at, from_at, record_id)
);
CREATE INDEX link_of_letting ON letting_link (site_id, record_id);

-- The last number that was drawn of each kind.
CREATE TABLE deal_number (
    site_id     BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    last_number BIGINT NOT NULL,
    PRIMARY KEY (site_id, agency_id, kind)
);

-- The agenda. from_at and until_at bound the time of all occurrences, and until_at is the
-- largest number where there is no end.

CREATE TABLE appointment_type (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- A row is there to be held, and says nothing.
CREATE TABLE calendar (
    site_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, user_id)
);

CREATE TABLE appointment (
    site_id     BIGINT  NOT NULL,
    id          BIGINT  NOT NULL,
    agency_id   BIGINT  NOT NULL,
    type        TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    recurs      BOOLEAN NOT NULL,
    start_at    BIGINT  NOT NULL,
    from_at     BIGINT  NOT NULL,
    until_at    BIGINT  NOT NULL,
    due_at      BIGINT,
    modified_at BIGINT  NOT NULL,
    body        TEXT    NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX appointment_of_agency ON appointment (site_id, agency_id, until_at, from_at, recurs);
CREATE INDEX appointment_due ON appointment (due_at, site_id, id) WHERE due_at IS NOT NULL;

-- The users, customers and products of an appointment, with its bounds: of those who
-- have years of appointments, only the ones of some weeks are looked at.
CREATE TABLE appointment_link (
    site_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    linked_id BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    from_at   BIGINT NOT NULL,
    record_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, linked_id, until_at, from_at, record_id)
);
CREATE INDEX link_of_appointment ON appointment_link (site_id, record_id);

CREATE TABLE permanence (
    site_id   BIGINT NOT NULL,
    id        BIGINT NOT NULL,
    agency_id BIGINT NOT NULL,
    user_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    from_at   BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    body      TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX permanence_of_agency ON permanence (site_id, agency_id, until_at, from_at);
CREATE INDEX permanence_of_user ON permanence (site_id, user_id, until_at, from_at);

-- The id is that of the user.
CREATE TABLE schedule (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- The id is that of the user.
CREATE TABLE imported_busy (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- The id is that of the agency.
CREATE TABLE booking_settings (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE booking_hold (
    site_id       BIGINT NOT NULL,
    id            BIGINT NOT NULL,
    user_id       BIGINT NOT NULL,
    product_id    BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    expires_at    BIGINT,
    body          TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX booking_hold_of_user ON booking_hold (site_id, user_id, expires_at);
CREATE INDEX booking_hold_of_product ON booking_hold (site_id, product_id, credential_id, expires_at);
CREATE INDEX booking_hold_expiry ON booking_hold (expires_at, site_id, id);

CREATE TABLE booking (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX booking_of_customer ON booking (site_id, customer_id, id);

-- The id is that of the user.
CREATE TABLE calendar_feed (
    site_id    BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    token_hash TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX calendar_feed_by_token ON calendar_feed (token_hash, site_id, id);

-- Events, and who follows them.

-- subject is what an action is about, a product or a customer, which its event does not name.
-- changed is what an update changed, by name.
CREATE TABLE ledger (
    site_id     BIGINT NOT NULL,
    seq         BIGINT NOT NULL,
    type        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    happened_at BIGINT,
    subject     TEXT   NOT NULL DEFAULT '',
    changed     TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (site_id, seq)
);
CREATE INDEX ledger_by_age ON ledger (happened_at, site_id, seq);
CREATE INDEX ledger_by_resource ON ledger (site_id, resource_id, seq);

-- How far those who follow the ledgers have come. until and served_at are 0 for "never", because
-- they are compared.
CREATE TABLE follower (
    site_id    BIGINT  NOT NULL,
    name       TEXT    NOT NULL,
    holder     TEXT    NOT NULL,
    seq        BIGINT  NOT NULL,
    scanning   BOOLEAN NOT NULL,
    scanned_id BIGINT  NOT NULL,
    until      BIGINT  NOT NULL,
    served_at  BIGINT  NOT NULL,
    PRIMARY KEY (site_id, name)
);

-- Changes of scope that are yet to be told of.
CREATE TABLE scope_change (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- Webhooks, the outbox of their deliveries, and what is kept of both. Whatever
-- is sealed (addresses, headers; what they sign and authenticate with as a whole) can be
-- read only with the operator's keys.

-- missed_from is the first event that a webhook missed, and missed_at since which suspension.
CREATE TABLE webhook (
    site_id              BIGINT  NOT NULL,
    id                   BIGINT  NOT NULL,
    url                  TEXT    NOT NULL,
    origins              TEXT    NOT NULL,
    headers              TEXT    NOT NULL,
    auth_id              BIGINT  NOT NULL,
    format               TEXT    NOT NULL,
    skip_own             BOOLEAN NOT NULL,
    created_by           TEXT    NOT NULL,
    state                TEXT    NOT NULL,
    epoch                BIGINT  NOT NULL,
    suspended_at         BIGINT,
    suspended_reason     TEXT    NOT NULL,
    last_success_at      BIGINT,
    last_failure_at      BIGINT,
    added_at             BIGINT,
    modified_at          BIGINT,
    coalesce_nanoseconds BIGINT  NOT NULL DEFAULT 0,
    missed_from          BIGINT  NOT NULL DEFAULT 0,
    missed_at            BIGINT,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE webhook_signing (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE webhook_auth (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- The attempts of a delivery are a line of JSON each. Every result of an attempt writes to the
-- indexes: there are as few as can be. Nearly all deliveries are over, and the index of those that
-- are not stays small; nearly all are about products, and are not looked for by these.
CREATE TABLE delivery (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    hook_id     BIGINT NOT NULL,
    event_seq   BIGINT NOT NULL,
    message     TEXT   NOT NULL,
    type        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    happened_at BIGINT,
    status      TEXT   NOT NULL,
    epoch       BIGINT NOT NULL,
    failures    BIGINT NOT NULL,
    number      BIGINT NOT NULL,
    due_at      BIGINT,
    reason      TEXT   NOT NULL,
    added_at    BIGINT,
    subject     TEXT   NOT NULL DEFAULT '',
    attempts    TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (site_id, id)
);
CREATE INDEX delivery_pending ON delivery (site_id, hook_id, event_seq, id) WHERE status = 'pending';
CREATE INDEX delivery_of_hook ON delivery (site_id, hook_id, id);
CREATE INDEX delivery_over ON delivery (added_at) WHERE status <> 'pending';
CREATE INDEX delivery_about ON delivery (site_id, resource_id)
    WHERE type <> 'PRODUCT_CREATE' AND type <> 'PRODUCT_UPDATE' AND type <> 'PRODUCT_DELETE';

-- due_at is NULL while nothing is pending; until and served_at are 0 for "never",
-- because they are compared.
CREATE TABLE hook_turn (
    site_id   BIGINT NOT NULL,
    hook_id   BIGINT NOT NULL,
    due_at    BIGINT,
    holder    TEXT   NOT NULL,
    until     BIGINT NOT NULL,
    served_at BIGINT NOT NULL,
    PRIMARY KEY (site_id, hook_id)
);
CREATE INDEX hook_turn_due ON hook_turn (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE rejection (
    site_id     BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    hook_id     BIGINT NOT NULL,
    type        TEXT   NOT NULL,
    reason      TEXT   NOT NULL,
    rejected_at BIGINT,
    PRIMARY KEY (site_id, kind, resource_id, hook_id)
);

-- Resources about which nothing is kept of what receivers say.
CREATE TABLE hushed (
    site_id     BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, resource_id)
);

CREATE TABLE app_log (
    site_id   BIGINT NOT NULL,
    id        BIGINT NOT NULL,
    logged_at BIGINT,
    body      TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX app_log_by_age ON app_log (logged_at, site_id, id);

-- Who looks after the installation through its console, who has signed in, who is
-- invited, and what they did. Secrets are here as hashes alone. The site is 0.

CREATE TABLE operator (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    email   TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX operator_by_email ON operator (email);

-- No two operators have one e-mail, which is the id.
CREATE TABLE operator_email (
    site_id BIGINT NOT NULL,
    id      TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE operator_session (
    site_id     BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    operator_id BIGINT NOT NULL,
    seen_at     BIGINT,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX operator_session_by_operator ON operator_session (operator_id);
CREATE INDEX operator_session_by_age ON operator_session (seen_at, site_id, id);

CREATE TABLE operator_invitation (
    site_id    BIGINT NOT NULL,
    id         TEXT   NOT NULL,
    expires_at BIGINT,
    body       TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE passkey (
    site_id     BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    operator_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX passkey_by_operator ON passkey (operator_id);

-- What browsers were asked and have yet to answer.
CREATE TABLE passkey_challenge (
    site_id    BIGINT NOT NULL,
    id         TEXT   NOT NULL,
    expires_at BIGINT,
    body       TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at, site_id, id);

-- It is only added to, and purged by age. about is the site that was meant, or 0.
CREATE TABLE audit (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    done_at     BIGINT,
    operator_id BIGINT NOT NULL,
    operation   TEXT   NOT NULL,
    about       BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX audit_by_age ON audit (done_at, site_id, id);
CREATE INDEX audit_by_operator ON audit (operator_id, id);
