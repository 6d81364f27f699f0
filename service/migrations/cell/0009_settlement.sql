-- How paid orders become tokens on a chain: what was asked of the chain, every transaction that was ever signed for it,
-- and what the chain says has happened.

-- The key that signs for a tenant on a chain. Its row lock is the lane: numbers are given one at a time.
create table cell.chain_signer (
  tenant_id uuid not null references cell.tenant (id),
  chain text not null check (length(chain) between 1 and 100),
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  kind text not null check (kind in ('sealed', 'pkcs11')),
  -- The key itself, encrypted by the application; null where it never leaves its module.
  sealed_key bytea,
  key_label text,
  desk_address text not null check (desk_address ~ '^0x[0-9a-fA-F]{40}$'),
  next_nonce bigint not null default 0 check (next_nonce >= 0),
  created_at timestamptz not null default now(),
  primary key (tenant_id, chain),
  constraint chain_signer_key check ((kind = 'sealed') = (sealed_key is not null) and (kind = 'pkcs11') = (key_label is not null))
);
-- One signer belongs to one tenant: two lanes would give the same number twice.
create unique index chain_signer_address on cell.chain_signer (chain, lower(address));
alter table cell.chain_signer enable row level security, force row level security;
create policy of_tenant on cell.chain_signer using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.chain_signer to investor_token_app;

-- Something that shall happen on a chain exactly once.
create table cell.chain_op (
  tenant_id uuid not null,
  id uuid not null,
  chain text not null,
  kind text not null check (
    kind in (
      'DEPLOY_FACTORY', 'DEPLOY_DESK', 'DEPLOY_TOKEN', 'GRANT_ROLE', 'REGISTER_WALLETS', 'MINT', 'FREEZE', 'FORCED_TRANSFER',
      'BURN', 'PAUSE', 'UNPAUSE'
    )
  ),
  -- The same wish twice is one row.
  dedupe_key text not null check (length(dedupe_key) between 1 and 200),
  to_address text not null check (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  data text not null check (data ~ '^0x([0-9a-f]{2})*$'),
  offering_id uuid,
  -- Not sent before this one is final.
  depends_on uuid,
  state text not null default 'QUEUED' check (
    state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED', 'FINAL', 'REVERTED', 'CANCELLED', 'ALARM')
  ),
  nonce bigint,
  gas bigint,
  mined_hash text,
  mined_block bigint,
  mined_block_hash text,
  -- Why it was reverted or needs a person, decoded.
  failure text,
  -- A person wants it gone: the number is used for nothing instead.
  is_cancelling boolean not null default false,
  look_at timestamptz not null default now(),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, dedupe_key),
  foreign key (tenant_id, chain) references cell.chain_signer (tenant_id, chain),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, depends_on) references cell.chain_op (tenant_id, id)
);
create unique index chain_op_nonce on cell.chain_op (tenant_id, chain, nonce);
create index chain_op_due on cell.chain_op (look_at) where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED');
create index chain_op_offering on cell.chain_op (tenant_id, offering_id, state);
alter table cell.chain_op enable row level security, force row level security;
create policy of_tenant on cell.chain_op using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.chain_op to investor_token_app;
create policy for_worker on cell.chain_op for select to investor_token_worker using (true);
grant select (tenant_id, id, chain, state, look_at) on cell.chain_op to investor_token_worker;

-- Every attempt, stored before it leaves the process: what may be on its way is known after any crash.
create table cell.chain_tx (
  tenant_id uuid not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  op_id uuid not null,
  attempt integer not null check (attempt >= 1),
  raw text not null check (raw ~ '^0x[0-9a-f]+$'),
  max_fee_per_gas numeric not null,
  max_priority_fee_per_gas numeric not null,
  -- Uses the number for nothing, so that the op never happens.
  is_cancellation boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, hash),
  foreign key (tenant_id, op_id) references cell.chain_op (tenant_id, id)
);
create unique index chain_tx_attempt on cell.chain_tx (tenant_id, op_id, attempt);
alter table cell.chain_tx enable row level security, force row level security;
create policy of_tenant on cell.chain_tx using (tenant_id = base.current_tenant_id());
grant select, insert on cell.chain_tx to investor_token_app;

alter table cell.offering
  -- Known before it is there: it follows from the desk and the offering.
  add column token_deployed_at timestamptz,
  -- Where the chain and our tables differ, nothing more is minted until a person has looked.
  add column minting_stopped text;
update cell.offering set token_deployed_at = created_at where token_address is not null;
create unique index offering_token on cell.offering (blockchain, lower(token_address));
-- The worker plans, and the indexer listens, for all tenants.
create policy for_worker on cell.offering for select to investor_token_worker using (true);
grant select (tenant_id, id, status, blockchain, token_address, token_deployed_at, minting_stopped) on cell.offering
  to investor_token_worker;

alter table cell.token_order
  add column mint_op_id uuid,
  add column mint_failures integer not null default 0 check (mint_failures >= 0),
  -- Why it waits for a person although it is ready.
  add column held_reason text,
  add constraint token_order_mint_op foreign key (tenant_id, mint_op_id) references cell.chain_op (tenant_id, id);
create index token_order_ready on cell.token_order (tenant_id, offering_id, id) where status = 'READYTOMINT' and held_reason is null;
create index token_order_mint_op on cell.token_order (tenant_id, mint_op_id) where status = 'MINTING';
grant select (offering_id, held_reason) on cell.token_order to investor_token_worker;

-- Which wallets a token knows as holders. A row is there once the registration is final.
create table cell.token_holder (
  tenant_id uuid not null,
  offering_id uuid not null,
  wallet_id uuid not null,
  account_id uuid not null,
  op_id uuid not null,
  is_registered boolean not null default false,
  primary key (tenant_id, offering_id, wallet_id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, account_id, wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, op_id) references cell.chain_op (tenant_id, id)
);
create index token_holder_op on cell.token_holder (tenant_id, op_id);
alter table cell.token_holder enable row level security, force row level security;
create policy of_tenant on cell.token_holder using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.token_holder to investor_token_app;

-- How far a chain has been read, and its blocks that are not final yet. Of no tenant.
create table cell.chain_cursor (
  chain text primary key,
  head_number bigint not null,
  head_hash text not null,
  finalized_number bigint not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint chain_cursor_in_order check (finalized_number <= head_number)
);
create table cell.chain_block (
  chain text not null,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  primary key (chain, number)
);
grant select, insert, update on cell.chain_cursor to investor_token_worker;
grant select, insert, delete on cell.chain_block to investor_token_worker;
grant select on cell.chain_cursor to investor_token_app;

-- Every movement of our tokens, as the chain tells it. At finality it is applied to balances and orders, once.
create table cell.token_log (
  tenant_id uuid not null,
  chain text not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_timestamp timestamptz not null,
  transaction_hash text not null,
  offering_id uuid not null,
  kind text not null check (kind in ('transfer', 'order_minted')),
  from_address text,
  to_address text not null,
  units numeric(78, 0) not null check (units >= 0),
  -- Of a mint.
  order_id uuid,
  applied_at timestamptz,
  primary key (tenant_id, chain, block_hash, log_index),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
create index token_log_pending on cell.token_log (tenant_id, chain, block_number, log_index) where applied_at is null;
create index token_log_history on cell.token_log (tenant_id, offering_id, block_number, log_index);
alter table cell.token_log enable row level security, force row level security;
create policy of_tenant on cell.token_log using (tenant_id = base.current_tenant_id());
grant select, insert, update, delete on cell.token_log to investor_token_app;
create policy for_worker on cell.token_log for select to investor_token_worker using (true);
grant select (tenant_id, chain, block_number, block_hash, applied_at) on cell.token_log to investor_token_worker;

-- Transactions that integrators see come from the log and go with it.
alter table cell.token_transaction
  add column chain text,
  add column block_hash text,
  add column log_index integer;
create unique index token_transaction_log on cell.token_transaction (tenant_id, chain, block_hash, log_index, wallet_id);
grant insert, update, delete on cell.token_transaction to investor_token_app;
grant insert, update on cell.wallet_balance to investor_token_app;
