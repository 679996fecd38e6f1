-- SQLite has one writer at a time, so that a table can count ids.

-- +goose Up
CREATE TABLE sequence (
    name    TEXT   NOT NULL PRIMARY KEY,
    last_id BIGINT NOT NULL
);
