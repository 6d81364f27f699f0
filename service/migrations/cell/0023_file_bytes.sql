-- Disk space of a tenant's files (documents, bank files and exports), because all tenants of the cell share the disk.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Null until the first file after this release, which counts the existing ones: the owner of the tables sees no rows of
-- tenants, and one scan of all files would take long.
alter table cell.tenant add column if not exists file_bytes bigint check (file_bytes >= 0);
-- 20 GiB: 7,500 investors with two documents of a megabyte each, as they are stored. Fifty such tenants fill a cell of
-- a terabyte.
alter table cell.tenant add column if not exists file_mebibytes_max integer not null default 20480
  check (file_mebibytes_max between 0 and 16777216);
grant update (file_bytes, file_mebibytes_max) on cell.tenant to investor_token_app;

-- For metrics.
grant select (file_bytes, file_mebibytes_max) on cell.tenant to investor_token_worker;
