-- Transfers of units between investors, lock-up of offerings, and transfers on the chain that were not requested.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Time until which units cannot change their owner. Null: no lock-up.
alter table cell.offering add column if not exists lock_up_until timestamptz;

-- A request to move units from one wallet to another.
create table if not exists cell.token_transfer (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  sender_account_id uuid not null,
  sender_wallet_id uuid not null,
  receiver_account_id uuid not null,
  receiver_wallet_id uuid not null,
  units numeric(78, 0) not null check (units > 0),
  reason text not null check (reason in ('sale', 'gift', 'inheritance', 'change_of_wallet', 'lost_keys')),
  -- APPROVED: an operator has checked it, and the receiver is being registered with the token. READY: the sender can
  -- send. SENT: seen in a block that is not finalized. DONE: in a finalized one.
  status text not null default 'REQUESTED' check (
    status in ('REQUESTED', 'APPROVED', 'READY', 'SENT', 'DONE', 'CANCELLED', 'REJECTED')
  ),
  -- Reason why an operator rejected it.
  rejection text check (length(rejection) <= 500),
  -- The forced transfer that two persons have confirmed.
  op_id uuid,
  -- The log that closes it. Each log closes at most one request.
  block_hash text,
  log_index integer,
  transaction_hash text,
  created_at timestamptz not null,
  approved_at timestamptz,
  ready_at timestamptz,
  -- Time at which it became DONE, CANCELLED or REJECTED.
  closed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, sender_account_id, sender_wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, receiver_account_id, receiver_wallet_id) references cell.wallet (tenant_id, account_id, id),
  foreign key (tenant_id, op_id) references cell.chain_op (tenant_id, id),
  constraint token_transfer_moves check (sender_wallet_id <> receiver_wallet_id),
  constraint token_transfer_log check (
    (status in ('SENT', 'DONE')) = (block_hash is not null)
    and (block_hash is null) = (log_index is null) and (block_hash is null) = (transaction_hash is null)
  ),
  constraint token_transfer_closed check ((status in ('DONE', 'CANCELLED', 'REJECTED')) = (closed_at is not null)),
  constraint token_transfer_rejected check ((status = 'REJECTED') = (rejection is not null))
);
create unique index if not exists token_transfer_by_log on cell.token_transfer (tenant_id, block_hash, log_index)
  where block_hash is not null;
create index if not exists token_transfer_status on cell.token_transfer (tenant_id, status, id);
create index if not exists token_transfer_offering on cell.token_transfer (tenant_id, offering_id, id);
create index if not exists token_transfer_sender on cell.token_transfer (tenant_id, sender_account_id, id);
create index if not exists token_transfer_receiver on cell.token_transfer (tenant_id, receiver_account_id, id);
-- Serves the indexer and the registrations.
create index if not exists token_transfer_wallets on cell.token_transfer
  (tenant_id, offering_id, receiver_wallet_id, sender_wallet_id) where status in ('APPROVED', 'READY');
create index if not exists token_transfer_requested on cell.token_transfer (tenant_id, created_at, id)
  where status = 'REQUESTED';
alter table cell.token_transfer enable row level security, force row level security;
drop policy if exists of_tenant on cell.token_transfer;
create policy of_tenant on cell.token_transfer using (tenant_id = base.current_tenant_id());
grant select, insert,
  update (status, rejection, op_id, block_hash, log_index, transaction_hash, approved_at, ready_at, closed_at)
  on cell.token_transfer to investor_token_app;

-- A transfer in a finalized block that no request and no token action explains. An operator judges it.
create table if not exists cell.unrequested_transfer (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  block_hash text not null,
  log_index integer not null,
  transaction_hash text not null,
  block_timestamp timestamptz not null,
  from_address text not null,
  to_address text not null,
  units numeric(78, 0) not null check (units > 0),
  -- The accounts that have these addresses; null if none has.
  sender_account_id uuid,
  receiver_account_id uuid,
  -- Rules that it broke when it was found.
  breaches text[] not null,
  verdict text check (verdict in ('accepted', 'reported')),
  note text check (length(note) between 1 and 500),
  found_at timestamptz not null,
  judged_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, sender_account_id) references cell.account (tenant_id, id),
  foreign key (tenant_id, receiver_account_id) references cell.account (tenant_id, id),
  constraint unrequested_transfer_judged check (
    (verdict is null) = (judged_at is null) and (verdict is null) = (note is null)
  )
);
create unique index if not exists unrequested_transfer_log on cell.unrequested_transfer
  (tenant_id, block_hash, log_index);
create index if not exists unrequested_transfer_offering on cell.unrequested_transfer (tenant_id, offering_id, id);
create index if not exists unrequested_transfer_open on cell.unrequested_transfer (tenant_id, found_at, id)
  where verdict is null;
alter table cell.unrequested_transfer enable row level security, force row level security;
drop policy if exists of_tenant on cell.unrequested_transfer;
create policy of_tenant on cell.unrequested_transfer using (tenant_id = base.current_tenant_id());
grant select, insert, update (verdict, note, judged_at) on cell.unrequested_transfer to investor_token_app;
