-- What an offering needs to be sold, and what investors hold.

alter table cell.offering
  -- Among the tenant's offerings that are not drafts; given when it is opened.
  add column position bigint,
  add column order_count bigint not null default 0,
  -- Where buyers pay to: account_holder, bank, bic, iban, currency. Copied into each order.
  add column collection_account jsonb,
  add column approval_required boolean not null default false,
  add constraint offering_ready_to_sell check (
    status = 'DRAFT' or (position is not null and collection_account is not null)
  ),
  add constraint offering_collection_account check (
    collection_account ?& array['account_holder', 'bank', 'bic', 'iban', 'currency']
  );
create unique index offering_position on cell.offering (tenant_id, position);
grant update on cell.offering to investor_token_app;

create table cell.offering_name (
  tenant_id uuid not null,
  offering_id uuid not null,
  language text not null check (language in ('ar', 'de', 'en', 'es', 'fr')),
  name text not null check (length(name) between 1 and 200),
  primary key (tenant_id, offering_id, language),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
alter table cell.offering_name enable row level security, force row level security;
create policy of_tenant on cell.offering_name using (tenant_id = base.current_tenant_id());
grant select on cell.offering_name to investor_token_app;

create table cell.wallet (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  position bigint not null,
  public_address text not null,
  name text not null,
  provider text not null check (
    provider in ('METAMASK', 'WALLETCONNECT', 'FIREBLOCKS', 'CONCORDIUM', 'MAGIC_LINK', 'STELLAR')
  ),
  type text not null check (type in ('BROWSER_WALLET', 'MOBILE_WALLET', 'POINT_WALLET')),
  status text not null check (status in ('ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'EXPIRED')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  -- So that what hangs on a wallet can be bound to the wallet's account.
  unique (tenant_id, account_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id)
);
create unique index wallet_position on cell.wallet (tenant_id, account_id, position);
alter table cell.wallet enable row level security, force row level security;
create policy of_tenant on cell.wallet using (tenant_id = base.current_tenant_id());
grant select on cell.wallet to investor_token_app;

create table cell.wallet_balance (
  tenant_id uuid not null,
  wallet_id uuid not null,
  offering_id uuid not null,
  account_id uuid not null,
  position bigint not null,
  balance numeric(78, 0) not null check (balance >= 0),
  primary key (tenant_id, wallet_id, offering_id),
  foreign key (tenant_id, account_id, wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
create unique index wallet_balance_position on cell.wallet_balance (tenant_id, account_id, position);
alter table cell.wallet_balance enable row level security, force row level security;
create policy of_tenant on cell.wallet_balance using (tenant_id = base.current_tenant_id());
grant select on cell.wallet_balance to investor_token_app;

create table cell.token_transaction (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  wallet_id uuid not null,
  offering_id uuid not null,
  position bigint not null,
  transaction_type text not null check (transaction_type in ('MINT', 'SEND', 'RECEIVE', 'TRANSFER')),
  transaction_hash text not null,
  units numeric(78, 0) not null check (units >= 0),
  status text not null check (status in ('confirmed', 'pending')),
  tx_from text,
  tx_to text not null,
  block_timestamp timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id, wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  constraint token_transaction_from_is_null_for_mints check ((tx_from is null) = (transaction_type = 'MINT'))
);
create unique index token_transaction_position on cell.token_transaction (tenant_id, account_id, position);
alter table cell.token_transaction enable row level security, force row level security;
create policy of_tenant on cell.token_transaction using (tenant_id = base.current_tenant_id());
grant select on cell.token_transaction to investor_token_app;
