-- Register extracts: the details of a security, files of the whole register, and extracts of one holder.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Details of the security in an extract. Null: not known. The application verifies the check digits.
alter table cell.offering
  add column if not exists isin text,
  add column if not exists issuer_name text,
  add column if not exists issuer_lei text,
  -- Nominal value of one whole token.
  add column if not exists nominal_amount numeric(38, 18),
  add column if not exists nominal_currency text,
  -- The format of the extract that a holder gets after each change of their position. Null: none is made.
  add column if not exists extract_format text,
  -- Block up to which all changes have their extracts.
  add column if not exists extracted_to_block bigint;

alter table cell.export
  add column if not exists format text not null default 'csv',
  -- For a finished register extract: the hash of the file, and the units of its rows.
  add column if not exists sha256 bytea,
  add column if not exists unit_sum numeric(78, 0);
alter table cell.export drop constraint if exists export_kind_check;
-- A tenant has few exports, so the scan is short.
-- squawk-ignore constraint-missing-not-valid
alter table cell.export add constraint export_kind_check check (
  kind in ('orders', 'payments', 'refunds', 'holders', 'audit', 'register')
);

-- Extract about one holder after a block. The hash stays when the content is erased.
create table if not exists cell.register_extract (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  offering_id uuid not null,
  -- change: made by a worker after a finalized change of the holder's position.
  cause text not null check (cause in ('request', 'change')),
  format text not null check (format in ('json', 'csv', 'pdf')),
  -- The last block that changed the register; 0 and null before the first.
  block_number bigint not null,
  block_hash text,
  units numeric(78, 0) not null check (units >= 0),
  sha256 bytea not null check (length(sha256) = 32),
  byte_count integer not null check (byte_count > 0),
  -- The file, sealed. Null once the account is erased.
  content bytea,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
-- One extract for each change, however often the job runs.
create unique index if not exists register_extract_change on cell.register_extract
  (tenant_id, offering_id, account_id, block_number) where cause = 'change';
create index if not exists register_extract_account on cell.register_extract (tenant_id, account_id, id);
-- Encrypted data cannot be compressed.
alter table cell.register_extract alter column content set storage external;
alter table cell.register_extract enable row level security, force row level security;
drop policy if exists of_tenant on cell.register_extract;
create policy of_tenant on cell.register_extract using (tenant_id = base.current_tenant_id());
grant select, insert, update (content) on cell.register_extract to investor_token_app;
