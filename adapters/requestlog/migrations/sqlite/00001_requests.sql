-- +goose Up
-- What is kept of each request.
CREATE TABLE request (
    id TEXT NOT NULL,
    refused BIGINT NOT NULL,
    at BIGINT NOT NULL,
    site_id BIGINT NOT NULL,
    client_id TEXT NOT NULL,
    op TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    query TEXT NOT NULL,
    credential TEXT NOT NULL,
    status BIGINT NOT NULL,
    code TEXT NOT NULL,
    micros BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    peer TEXT NOT NULL,
    agent TEXT NOT NULL,
    deprecated TEXT NOT NULL,
    one_in BIGINT NOT NULL,
    customers TEXT NOT NULL,
    sent TEXT NOT NULL,
    answered TEXT NOT NULL,
    UNIQUE (id)
);
-- Holds what filters look at, so that what they leave out is not read.
CREATE INDEX request_list ON request (site_id, at, id, status, credential, op, code);
CREATE INDEX request_age ON request (refused, at);

-- Which requests are about a customer.
CREATE TABLE request_customer (
    site_id BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (site_id, customer_id, request_id)
);
CREATE INDEX request_customer_age ON request_customer (at);

-- How many requests of a kind came within a minute or an hour, and how long they took.
CREATE TABLE traffic (
    site_id BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    start BIGINT NOT NULL,
    op TEXT NOT NULL,
    credential TEXT NOT NULL,
    class BIGINT NOT NULL,
    n BIGINT NOT NULL,
    micros BIGINT NOT NULL,
    b0 BIGINT NOT NULL,
    b1 BIGINT NOT NULL,
    b2 BIGINT NOT NULL,
    b3 BIGINT NOT NULL,
    b4 BIGINT NOT NULL,
    b5 BIGINT NOT NULL,
    b6 BIGINT NOT NULL,
    b7 BIGINT NOT NULL,
    b8 BIGINT NOT NULL,
    b9 BIGINT NOT NULL,
    b10 BIGINT NOT NULL,
    b11 BIGINT NOT NULL,
    b12 BIGINT NOT NULL,
    b13 BIGINT NOT NULL,
    PRIMARY KEY (site_id, seconds, start, op, credential, class)
);
CREATE INDEX traffic_age ON traffic (seconds, start);

-- How often a client used a deprecated name on a day.
CREATE TABLE deprecated_name (
    site_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    credential TEXT NOT NULL,
    op TEXT NOT NULL,
    name TEXT NOT NULL,
    n BIGINT NOT NULL,
    last_request TEXT NOT NULL,
    PRIMARY KEY (site_id, day, credential, op, name)
);

-- Customers who were anonymised or deleted: no query and no body about them is kept.
CREATE TABLE forgotten_customer (
    site_id BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, customer_id)
);

-- +goose Down
DROP TABLE forgotten_customer;
DROP TABLE deprecated_name;
DROP TABLE traffic;
DROP TABLE request_customer;
DROP TABLE request;
