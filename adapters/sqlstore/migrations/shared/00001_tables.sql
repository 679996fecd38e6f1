-- One schema for both engines: BIGINT, TEXT, BOOLEAN and DOUBLE PRECISION only.
-- Instants are microseconds since 1970 UTC; NULL stands for "never". Nested
-- values are JSON in TEXT and never queried. Tables of a site's data lead with
-- site_id, so that they can be partitioned or distributed by it; site, agency,
-- credential, token and token_family form the directory that says which site a
-- request is about.

-- +goose Up
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

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
    agencies          TEXT    NOT NULL
);

CREATE TABLE site_head (
    site_id  BIGINT NOT NULL PRIMARY KEY,
    seq      BIGINT NOT NULL,
    last_at  BIGINT NOT NULL,
    settings BIGINT NOT NULL,
    access   BIGINT NOT NULL
);

CREATE TABLE ledger (
    site_id     BIGINT NOT NULL,
    seq         BIGINT NOT NULL,
    type        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    happened_at BIGINT,
    PRIMARY KEY (site_id, seq)
);

CREATE TABLE agency (
    id                BIGINT  NOT NULL PRIMARY KEY,
    site_id           BIGINT  NOT NULL,
    name              TEXT    NOT NULL,
    legal_name        TEXT    NOT NULL,
    address           TEXT    NOT NULL,
    postal_code       TEXT    NOT NULL,
    city              TEXT    NOT NULL,
    country           TEXT    NOT NULL,
    email             TEXT    NOT NULL,
    phone             TEXT    NOT NULL,
    siren             TEXT    NOT NULL,
    siret             TEXT    NOT NULL,
    latitude          DOUBLE PRECISION,
    longitude         DOUBLE PRECISION,
    logo_url          TEXT    NOT NULL,
    website           TEXT    NOT NULL,
    active            BOOLEAN NOT NULL,
    vat_number        TEXT    NOT NULL,
    rcs               TEXT    NOT NULL,
    capital           TEXT    NOT NULL,
    legal_form        TEXT    NOT NULL,
    card              TEXT    NOT NULL,
    guarantee         TEXT    NOT NULL,
    insurance         TEXT    NOT NULL,
    mediator          TEXT    NOT NULL,
    fees_schedule_url TEXT    NOT NULL,
    network           TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    opening_hours     TEXT    NOT NULL,
    languages         TEXT    NOT NULL,
    added_at          BIGINT,
    modified_at       BIGINT
);
CREATE INDEX agency_of_site ON agency (site_id, id);

CREATE TABLE site_user (
    site_id           BIGINT  NOT NULL,
    id                BIGINT  NOT NULL,
    agency_id         BIGINT  NOT NULL,
    firstname         TEXT    NOT NULL,
    lastname          TEXT    NOT NULL,
    email             TEXT    NOT NULL,
    phone             TEXT    NOT NULL,
    mobile            TEXT    NOT NULL,
    job_title         TEXT    NOT NULL,
    photo_url         TEXT    NOT NULL,
    languages         TEXT    NOT NULL,
    status_kind       TEXT    NOT NULL,
    rsac              TEXT    NOT NULL,
    siret             TEXT    NOT NULL,
    professional_card TEXT    NOT NULL,
    active            BOOLEAN NOT NULL,
    web_visible       BOOLEAN NOT NULL,
    biography         TEXT    NOT NULL,
    zone              TEXT    NOT NULL,
    added_at          BIGINT,
    modified_at       BIGINT,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE criterion (
    site_id                  BIGINT  NOT NULL,
    id                       BIGINT  NOT NULL,
    key                      TEXT    NOT NULL,
    type                     TEXT    NOT NULL,
    label                    TEXT    NOT NULL,
    description              TEXT    NOT NULL,
    active                   BOOLEAN NOT NULL,
    custom                   BOOLEAN NOT NULL,
    custom_label             BOOLEAN NOT NULL,
    custom_values            BOOLEAN NOT NULL,
    required_for_publication BOOLEAN NOT NULL,
    searchable               BOOLEAN NOT NULL,
    private                  BOOLEAN NOT NULL,
    unit                     TEXT    NOT NULL,
    minimum                  DOUBLE PRECISION,
    maximum                  DOUBLE PRECISION,
    decimals                 BIGINT,
    max_length               BIGINT  NOT NULL,
    full_text                BOOLEAN NOT NULL,
    group_name               TEXT    NOT NULL,
    property_types           TEXT    NOT NULL,
    position                 BIGINT  NOT NULL,
    choices                  TEXT    NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE list (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    key     TEXT   NOT NULL,
    label   TEXT   NOT NULL,
    choices TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE action_type (
    site_id  BIGINT  NOT NULL,
    id       BIGINT  NOT NULL,
    code     TEXT    NOT NULL,
    label    TEXT    NOT NULL,
    active   BOOLEAN NOT NULL,
    target   TEXT    NOT NULL,
    color    TEXT    NOT NULL,
    position BIGINT  NOT NULL,
    children TEXT    NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE credential (
    id          TEXT    NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL,
    secret      TEXT    NOT NULL,
    sites       TEXT    NOT NULL,
    packs       TEXT    NOT NULL,
    permissions TEXT    NOT NULL,
    rights      TEXT    NOT NULL,
    disabled    BOOLEAN NOT NULL,
    added_at    BIGINT,
    revoked_at  BIGINT
);

CREATE TABLE token_family (
    id                BIGINT  NOT NULL PRIMARY KEY,
    credential_id     TEXT    NOT NULL,
    site_id           BIGINT  NOT NULL,
    started_at        BIGINT,
    issued_generation BIGINT  NOT NULL,
    used_generation   BIGINT  NOT NULL,
    revoked           BOOLEAN NOT NULL
);

CREATE TABLE token (
    hash              TEXT    NOT NULL PRIMARY KEY,
    family_id         BIGINT  NOT NULL,
    credential_id     TEXT    NOT NULL,
    site_id           BIGINT  NOT NULL,
    refresh           BOOLEAN NOT NULL,
    generation        BIGINT  NOT NULL,
    parent_generation BIGINT  NOT NULL,
    issued_at         BIGINT,
    expires_at        BIGINT,
    rotated_at        BIGINT,
    revoked           BOOLEAN NOT NULL
);
CREATE INDEX token_by_expiry ON token (expires_at, hash);
CREATE INDEX token_by_family ON token (family_id);

CREATE TABLE customer (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    user_id     BIGINT NOT NULL,
    type        TEXT   NOT NULL,
    civility    TEXT   NOT NULL,
    firstname   TEXT   NOT NULL,
    lastname    TEXT   NOT NULL,
    company     TEXT   NOT NULL,
    email       TEXT   NOT NULL,
    phone       TEXT   NOT NULL,
    color       BIGINT NOT NULL,
    added_at    BIGINT,
    modified_at BIGINT,
    PRIMARY KEY (site_id, id)
);

-- The long columns come last: a scan that does not want them need not pass them.
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
    PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX product_reference ON product (site_id, agency_id, reference_key);

CREATE TABLE reference_counter (
    site_id     BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    last_number BIGINT NOT NULL,
    PRIMARY KEY (site_id, agency_id)
);

-- +goose Down
DROP TABLE reference_counter;
DROP TABLE product;
DROP TABLE customer;
DROP TABLE token;
DROP TABLE token_family;
DROP TABLE credential;
DROP TABLE action_type;
DROP TABLE list;
DROP TABLE criterion;
DROP TABLE site_user;
DROP TABLE agency;
DROP TABLE ledger;
DROP TABLE site_head;
DROP TABLE site;
DROP TABLE meta;
