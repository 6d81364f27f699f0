-- Everything a tenant owns. A tenant lives in exactly one cell; an installation has one or many.

grant usage on schema cell to investor_token_app;

-- Which cell this database is. Processes compare it with their settings at the start, so that two addresses swapped in
-- a configuration cannot send one tenant's rows to another cell.
create table cell.identity (
  only_row boolean primary key default true check (only_row),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,30}$')
);
grant select on cell.identity, cell.migration to investor_token_app;

-- The root that every tenant row of this cell hangs on.
create table cell.tenant (
  id uuid primary key,
  created_at timestamptz not null default now()
);
alter table cell.tenant enable row level security, force row level security;
create policy of_tenant on cell.tenant using (id = base.current_tenant_id());
grant select, insert on cell.tenant to investor_token_app;

create table cell.offering (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  symbol text not null check (length(symbol) between 1 and 32),
  blockchain text not null check (length(blockchain) between 1 and 100),
  tokenization_platform text not null check (length(tokenization_platform) between 1 and 100),
  decimals smallint not null check (decimals between 0 and 18),
  type text not null check (
    type in (
      'EQUITY_TRADITIONAL', 'EQUITY_TOKENIZED', 'EQUITY_SPV_DIGITAL', 'DEBT_TRADITIONAL', 'DEBT_TOKENIZED',
      'DEBT_SPV_DIGITAL', 'ACCESS_TRADITIONAL', 'ACCESS_TOKENIZED', 'ART_COLLECTION', 'ART_TOKENIZED'
    )
  ),
  price_per_token numeric not null check (price_per_token >= 0),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'OPEN', 'CLOSED')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  logo text not null default '',
  token_address text,
  -- 78 digits hold 2^256 - 1, the largest amount a chain can count.
  total_units numeric(78, 0) not null check (total_units > 0),
  reserved_units numeric(78, 0) not null default 0 check (reserved_units >= 0),
  issued_units numeric(78, 0) not null default 0 check (issued_units >= 0),
  min_units numeric(78, 0) check (min_units > 0),
  max_units numeric(78, 0) check (max_units > 0),
  opens_at timestamptz,
  closes_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  -- Never one unit more than there is, whatever the code believes.
  constraint offering_not_oversold check (reserved_units + issued_units <= total_units),
  constraint offering_limits_in_order check (min_units <= max_units)
);
alter table cell.offering enable row level security, force row level security;
create policy of_tenant on cell.offering using (tenant_id = base.current_tenant_id());
grant select, insert on cell.offering to investor_token_app;
