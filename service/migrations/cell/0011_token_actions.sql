-- What people do about the chain: they look after its transactions, and two of them together move what is on it.

alter table cell.chain_op
  -- A person wants its fee raised at the next look.
  add column is_bumping boolean not null default false;

alter table cell.chain_tx
  -- Somebody else has sent it: it is watched like ours, but there are no bytes to send again.
  add column is_foreign boolean not null default false,
  alter column raw drop not null,
  alter column max_fee_per_gas drop not null,
  alter column max_priority_fee_per_gas drop not null,
  add constraint chain_tx_foreign check (
    is_foreign = (raw is null) and is_foreign = (max_fee_per_gas is null)
    and is_foreign = (max_priority_fee_per_gas is null) and not (is_foreign and is_cancellation)
  );

-- What one person proposes to do to a token, and another one decides.
create table cell.token_action (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  kind text not null check (kind in ('FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE')),
  -- The addresses and the units, as they were proposed.
  details jsonb not null,
  reason text not null check (length(reason) between 1 and 500),
  -- One that nobody has decided in time is expired; that follows from the time and is not written.
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected')),
  proposed_by uuid not null,
  decided_by uuid,
  decided_at timestamptz,
  op_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, op_id) references cell.chain_op (tenant_id, id),
  constraint token_action_decided check (
    (state = 'proposed') = (decided_by is null) and (state = 'proposed') = (decided_at is null)
    and (state = 'confirmed') = (op_id is not null)
  ),
  -- Even a caller who gets past the operation cannot decide alone.
  constraint token_action_four_eyes check (state <> 'confirmed' or decided_by <> proposed_by)
);
create index token_action_offering on cell.token_action (tenant_id, offering_id, id);
alter table cell.token_action enable row level security, force row level security;
create policy of_tenant on cell.token_action using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.token_action to investor_token_app;

alter table cell.offering
  -- A difference between the chain and our books that a person has looked at, and that stops nothing any more.
  add column accepted_difference text;

alter table cell.offering
  -- A token that is there already and shall be this offering's, once the chain says that it can be.
  add column wanted_token_address text check (wanted_token_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Why it cannot.
  add column token_refusal text;
grant select (wanted_token_address, token_refusal) on cell.offering to investor_token_worker;
