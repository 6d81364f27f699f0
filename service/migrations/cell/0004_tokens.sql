-- Tokens on a chain: transactions that the service signs, transfers that the indexer reads, and the resulting balances.

-- Every attempt to execute an operation, stored before it is sent, so that after a crash the worker knows which
-- transactions may still be in flight.
create table cell.chain_tx (
  tenant_id uuid not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  op_id uuid not null,
  attempt integer not null check (attempt >= 1),
  raw text check (raw ~ '^0x[0-9a-f]+$'),
  max_fee_per_gas numeric,
  max_priority_fee_per_gas numeric,
  -- Consumes the nonce with an empty transaction, so that the operation never executes.
  is_cancellation boolean not null default false,
  -- Sent from outside the service. The worker watches it like its own, but has no raw transaction to resend.
  is_foreign boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, hash),
  foreign key (tenant_id, op_id) references cell.chain_op (tenant_id, id),
  constraint chain_tx_foreign check (
    is_foreign = (raw is null) and is_foreign = (max_fee_per_gas is null)
    and is_foreign = (max_priority_fee_per_gas is null) and not (is_foreign and is_cancellation)
  )
);
create unique index chain_tx_attempt on cell.chain_tx (tenant_id, op_id, attempt);
alter table cell.chain_tx enable row level security, force row level security;
create policy of_tenant on cell.chain_tx using (tenant_id = base.current_tenant_id());
grant select, insert on cell.chain_tx to investor_token_app;

-- Wallets that a token knows as holders, or will know. A holder is registered while its wallet is active and its account
-- approved; is_registered changes once the registration, or its removal, is final.
create table cell.token_holder (
  tenant_id uuid not null,
  offering_id uuid not null,
  wallet_id uuid not null,
  account_id uuid not null,
  -- The operation that changes the registration, or that failed to. At most one at a time.
  op_id uuid,
  is_registered boolean not null default false,
  primary key (tenant_id, offering_id, wallet_id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, account_id, wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, op_id) references cell.chain_op (tenant_id, id)
);
create index token_holder_op on cell.token_holder (tenant_id, op_id);
create index token_holder_account on cell.token_holder (tenant_id, account_id);
alter table cell.token_holder enable row level security, force row level security;
create policy of_tenant on cell.token_holder using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.token_holder to investor_token_app;

-- The indexer's position on a chain, and the unfinalized blocks, which a reorg can still replace. Not tenant data.
create table cell.chain_cursor (
  chain text primary key,
  head_number bigint not null,
  head_hash text not null,
  finalized_number bigint not null,
  -- Incremented when a backfill completes. The cursor only moves if the count is unchanged, so a step that started
  -- before the backfill completed cannot skip logs of the new tokens.
  backfill_count bigint not null default 0,
  changed_at timestamptz not null default clock_timestamp(),
  constraint chain_cursor_in_order check (finalized_number <= head_number)
);
create table cell.chain_block (
  chain text not null,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  timestamp timestamptz not null,
  primary key (chain, number)
);
grant select, insert, update on cell.chain_cursor to investor_token_worker;
grant select, insert, delete on cell.chain_block to investor_token_worker;
grant select on cell.chain_cursor, cell.chain_block to investor_token_app;

-- What workers last saw of each chain, for operators: the operator API has no connection to a node. Not tenant data.
create table cell.chain_status (
  chain text primary key,
  head_number bigint,
  head_at timestamptz,
  finalized_number bigint,
  -- Why the chain could not be read; the figures are then those of the last success.
  problem text check (length(problem) <= 500),
  checked_at timestamptz not null
);
grant select, insert, update on cell.chain_status to investor_token_worker;
grant select on cell.chain_status to investor_token_app;

-- What a worker last saw of a signer.
create table cell.signer_status (
  tenant_id uuid not null,
  chain text not null,
  balance_wei numeric(78, 0) not null check (balance_wei >= 0),
  -- Transactions of the signer in blocks, and those that wait in the node besides.
  nonce_latest bigint not null,
  nonce_pending bigint not null,
  -- Since when the balance is too little for gas.
  gas_low_since timestamptz,
  checked_at timestamptz not null,
  primary key (tenant_id, chain),
  foreign key (tenant_id, chain) references cell.chain_signer (tenant_id, chain)
);
alter table cell.signer_status enable row level security, force row level security;
create policy of_tenant on cell.signer_status using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.signer_status to investor_token_app;
create policy for_worker on cell.signer_status for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = signer_status.tenant_id and residence.state = 'here')
);
grant select (tenant_id, chain, checked_at, balance_wei, nonce_latest, gas_low_since) on cell.signer_status
  to investor_token_worker;

-- What the transactions of a signer cost, by the UTC day on which they became final.
create table cell.gas_day (
  tenant_id uuid not null,
  chain text not null,
  day date not null,
  spent_wei numeric(78, 0) not null check (spent_wei >= 0),
  transaction_count integer not null check (transaction_count >= 0),
  primary key (tenant_id, chain, day),
  foreign key (tenant_id, chain) references cell.chain_signer (tenant_id, chain)
);
alter table cell.gas_day enable row level security, force row level security;
create policy of_tenant on cell.gas_day using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.gas_day to investor_token_app;
create policy for_worker on cell.gas_day for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = gas_day.tenant_id and residence.state = 'here')
);
grant select (tenant_id, chain, day, spent_wei) on cell.gas_day to investor_token_worker;

-- The last comparison of a token with its chain.
create table cell.reconciliation (
  tenant_id uuid not null,
  offering_id uuid not null,
  -- When an operator last asked for one.
  requested_at timestamptz,
  compared_at timestamptz,
  -- The figures of the last comparison, by their API names, and in differences what does not match.
  figures jsonb,
  differences text[] not null default '{}',
  -- Why the requested comparison was not possible.
  problem text check (length(problem) <= 500),
  primary key (tenant_id, offering_id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  constraint reconciliation_has_figures check ((compared_at is null) = (figures is null))
);
alter table cell.reconciliation enable row level security, force row level security;
create policy of_tenant on cell.reconciliation using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.reconciliation to investor_token_app;
-- For metrics.
create policy for_worker on cell.reconciliation for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = reconciliation.tenant_id and residence.state = 'here')
);
grant select (compared_at) on cell.reconciliation to investor_token_worker;

-- The backfill of each token. After it, the indexer reads the token block by block with all others. Addresses only, not
-- tenant data.
create table cell.indexed_token (
  chain text not null,
  token_address text not null,
  -- The desk that mints the token, or empty if there is none yet. A different desk requires a new backfill.
  desk_address text not null,
  -- The finalized block that the backfill has reached; -1 before its first range.
  backfilled_to bigint not null,
  is_backfilled boolean not null default false,
  primary key (chain, token_address, desk_address)
);
grant select, insert, update on cell.indexed_token to investor_token_worker;

-- Logs of the tenant's tokens and desk, as read from the chain. Once finalized, each is applied exactly once to
-- balances and orders.
create table cell.token_log (
  tenant_id uuid not null,
  chain text not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_timestamp timestamptz not null,
  transaction_hash text not null,
  offering_id uuid not null,
  kind text not null check (kind in ('transfer', 'order_minted', 'frozen')),
  from_address text,
  to_address text not null,
  -- For frozen: all units of to_address that are frozen from then on.
  units numeric(78, 0) not null check (units >= 0),
  -- Set for order_minted.
  order_id uuid,
  applied_at timestamptz,
  primary key (tenant_id, chain, block_hash, log_index),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
create index token_log_pending on cell.token_log (tenant_id, chain, block_number, log_index) where applied_at is null;
create index token_log_history on cell.token_log (tenant_id, offering_id, block_number, log_index);
-- For the transfers of an address from before it was added as a wallet.
create index token_log_to on cell.token_log (tenant_id, offering_id, to_address, block_number) where kind = 'transfer';
create index token_log_from on cell.token_log (tenant_id, offering_id, from_address, block_number)
  where kind = 'transfer';
create index token_log_frozen on cell.token_log (tenant_id, offering_id, to_address, block_number)
  where kind = 'frozen';
-- For the register at a time.
create index token_log_time on cell.token_log (tenant_id, offering_id, block_timestamp);
alter table cell.token_log enable row level security, force row level security;
create policy of_tenant on cell.token_log using (tenant_id = base.current_tenant_id());
grant select, insert, update, delete on cell.token_log to investor_token_app;
create policy for_worker on cell.token_log for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = token_log.tenant_id and residence.state = 'here')
);
grant select (tenant_id, chain, block_number, block_hash, applied_at) on cell.token_log to investor_token_worker;

-- The register of holders: the sum of all applied transfers of each address, whether it is a known wallet or not. The
-- zero address has minus the supply. Other addresses keep their row when they have no units left.
create table cell.holding (
  tenant_id uuid not null,
  offering_id uuid not null,
  address text collate "C" not null,
  id uuid not null,
  -- Negative only for the zero address, and for tokens whose logs are not complete.
  units numeric(78, 0) not null,
  -- Sorts like the units. Row-level security uses no index on a comparison of numeric.
  units_key text collate "C" not null generated always as (lpad(greatest(units, 0)::text, 78, '0')) stored,
  primary key (tenant_id, offering_id, address),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
create index holding_units on cell.holding (tenant_id, offering_id, units_key, id) where units > 0;
alter table cell.holding enable row level security, force row level security;
create policy of_tenant on cell.holding using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.holding to investor_token_app;

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
create index wallet_balance_holder on cell.wallet_balance (tenant_id, offering_id, account_id) where balance > 0;
alter table cell.wallet_balance enable row level security, force row level security;
create policy of_tenant on cell.wallet_balance using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.wallet_balance to investor_token_app;

-- Transfers as the API lists them, one row per wallet. They derive from token_log; a reorg deletes them with their log.
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
  chain text,
  block_hash text,
  log_index integer,
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id, wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  constraint token_transaction_from_is_null_for_mints check ((tx_from is null) = (transaction_type = 'MINT'))
);
create unique index token_transaction_position on cell.token_transaction (tenant_id, account_id, position);
create unique index token_transaction_log on cell.token_transaction (tenant_id, chain, block_hash, log_index, wallet_id);
alter table cell.token_transaction enable row level security, force row level security;
create policy of_tenant on cell.token_transaction using (tenant_id = base.current_tenant_id());
grant select, insert, update, delete on cell.token_transaction to investor_token_app;
