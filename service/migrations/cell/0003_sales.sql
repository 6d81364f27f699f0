-- Investors, what they can buy, and their orders with payments and refunds.

create table cell.account (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  position bigint not null,
  type text not null check (type in ('INDIVIDUAL', 'COMPANY')),
  email text not null check (length(email) <= 254),
  email_confirmed boolean not null,
  is_beneficiary boolean not null,
  -- The API's `individual` or `company` object, depending on type.
  profile jsonb not null check (jsonb_typeof(profile) = 'object'),
  full_name text not null generated always as (
    case type
      when 'COMPANY' then profile ->> 'name'
      else (profile ->> 'firstName') || ' ' || (profile ->> 'lastName')
    end
  ) stored,
  -- Both encrypted by the application; the ciphertext includes the id of the data key.
  bank_account bytea not null,
  tax_information bytea,
  -- Counts the changes of the bank account. What was approved for one version is void for the next.
  bank_account_version integer not null default 1,
  -- Null until the first change. Refunds to an account that has just changed wait for a second person.
  bank_account_changed_at timestamptz,
  kyc_status text not null check (kyc_status in ('NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED')),
  kyb_status text not null check (kyb_status in ('NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED')),
  -- When the personal data was overwritten. Ids, orders and holdings stay.
  erased_at timestamptz,
  benefiting_person_count integer not null default 0 check (benefiting_person_count <= 1000),
  order_count bigint not null default 0,
  wallet_count bigint not null default 0,
  balance_count bigint not null default 0,
  transaction_count bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Since when kyc_status or kyb_status is PENDING; null if neither is. A trigger sets it.
  pending_since timestamptz,
  primary key (tenant_id, id)
);
create unique index account_position on cell.account (tenant_id, position);
create index account_pending on cell.account (tenant_id, pending_since, id) where pending_since is not null;
create function cell.set_pending_since() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.pending_since := case
    when 'PENDING' not in (new.kyc_status, new.kyb_status) then null
    else coalesce(new.pending_since, clock_timestamp())
  end;
  return new;
end $$;
create trigger set_pending_since before insert or update of kyc_status, kyb_status on cell.account
  for each row execute function cell.set_pending_since();
create index account_type on cell.account (tenant_id, type, id);
create index account_kyc on cell.account (tenant_id, kyc_status, id);
create index account_kyb on cell.account (tenant_id, kyb_status, id);
alter table cell.account enable row level security, force row level security;
create policy of_tenant on cell.account using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.account to investor_token_app;

-- The beneficial owners of a company.
create table cell.benefiting_person (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  position integer not null,
  firstname text not null,
  lastname text not null,
  street text not null,
  zip text not null,
  state text not null,
  city text not null,
  country text not null check (length(country) = 2),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id)
);
create unique index benefiting_person_position on cell.benefiting_person (tenant_id, account_id, position);
alter table cell.benefiting_person enable row level security, force row level security;
create policy of_tenant on cell.benefiting_person using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.benefiting_person to investor_token_app;

create table cell.offering (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  -- Assigned when the offering opens; drafts are not listed and have none.
  position bigint,
  order_count bigint not null default 0,
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
  -- PAUSED: sells nothing until it is resumed. Integrators see it as CLOSED.
  status text not null default 'DRAFT' check (status in ('DRAFT', 'OPEN', 'PAUSED', 'CLOSED')),
  price_per_token numeric not null check (price_per_token >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  logo text not null default '',
  -- 78 digits fit 2^256 - 1, the largest amount on a chain.
  total_units numeric(78, 0) not null check (total_units > 0),
  reserved_units numeric(78, 0) not null default 0 check (reserved_units >= 0),
  issued_units numeric(78, 0) not null default 0 check (issued_units >= 0),
  min_units numeric(78, 0) check (min_units > 0),
  max_units numeric(78, 0) check (max_units > 0),
  -- The bank account that buyers pay into. Each order keeps a copy.
  collection_account jsonb,
  payment_term_days integer not null default 14 check (payment_term_days between 1 and 365),
  -- How far a payment may fall short of the total and still count as full: banks deduct fees from transfers.
  payment_tolerance numeric not null default 0 check (payment_tolerance >= 0),
  approval_required boolean not null default false,
  acceptance_required boolean not null default false,
  -- What paid orders must reach before any order is minted, in units, in money, or both.
  soft_cap_units numeric(78, 0) check (soft_cap_units > 0),
  soft_cap_amount numeric check (soft_cap_amount > 0),
  -- Of paid orders, while the soft cap is not met. Afterwards they are not maintained: every payment would lock this row.
  funded_units numeric(78, 0) not null default 0 check (funded_units >= 0),
  funded_amount numeric not null default 0 check (funded_amount >= 0),
  -- Never cleared: orders may have been minted since.
  soft_cap_met_at timestamptz,
  -- When two persons decided to refund all orders, because the soft cap was missed, and when the last one was cancelled.
  refund_all_at timestamptz,
  refunded_all_at timestamptz,
  opens_at timestamptz,
  closes_at timestamptz,
  opened_at timestamptz,
  closed_at timestamptz,
  -- Set before the deployment: the address of a new token is derived from the mint desk and the offering.
  token_address text,
  token_deployed_at timestamptz,
  -- The largest supply that the token allows: from its deployment, or the check of an attached one, and each SET_CAP.
  token_cap numeric(78, 0) check (token_cap >= 0),
  -- An existing token that the operator wants to use. It becomes token_address once a check on the chain passes.
  attached_token_address text check (attached_token_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Why that check failed.
  token_rejection text,
  -- Why minting is stopped: the token is paused, or the chain and the database do not match. An operator has to review
  -- a mismatch before minting resumes.
  minting_stopped text,
  -- A mismatch that an operator has reviewed and accepted; it no longer stops minting.
  accepted_difference text,
  -- Since when minting_stopped and token_rejection have a reason. A trigger sets both.
  minting_stopped_at timestamptz,
  token_rejected_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  -- Prevents overselling even if the application has a bug.
  constraint offering_not_oversold check (reserved_units + issued_units <= total_units),
  constraint offering_limits_in_order check (min_units <= max_units),
  -- Either tokens are minted or the money goes back, even if the application has a bug.
  constraint offering_minted_or_refunded check (soft_cap_met_at is null or refund_all_at is null),
  constraint offering_refund_all check (refunded_all_at is null or refund_all_at is not null),
  constraint offering_ready_to_sell check (
    status = 'DRAFT' or (position is not null and collection_account is not null)
  ),
  constraint offering_collection_account check (
    collection_account ?& array['account_holder', 'bank', 'bic', 'iban', 'currency']
  )
);
create unique index offering_position on cell.offering (tenant_id, position);
create index offering_status on cell.offering (tenant_id, status, id);
create unique index offering_token on cell.offering (blockchain, lower(token_address));
create index offering_minting_stopped on cell.offering (tenant_id, minting_stopped_at, id)
  where minting_stopped_at is not null;
create index offering_token_rejected on cell.offering (tenant_id, token_rejected_at, id)
  where token_rejected_at is not null;
create function cell.set_stopped_times() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.minting_stopped_at := case
    when new.minting_stopped is not null then coalesce(old.minting_stopped_at, clock_timestamp())
  end;
  new.token_rejected_at := case
    when new.token_rejection is not null then coalesce(old.token_rejected_at, clock_timestamp())
  end;
  return new;
end $$;
-- Not for the updates of the counters that every order makes.
create trigger set_stopped_times before update of minting_stopped, token_rejection on cell.offering
  for each row execute function cell.set_stopped_times();
alter table cell.offering enable row level security, force row level security;
create policy of_tenant on cell.offering using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.offering to investor_token_app;
-- The worker plans mints and indexes tokens for all tenants.
create policy for_worker on cell.offering for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = offering.tenant_id and residence.state = 'here')
);
grant select (
  tenant_id, id, status, blockchain, token_address, token_deployed_at, attached_token_address, token_rejection,
  minting_stopped
) on cell.offering to investor_token_worker;

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
grant select, insert, update, delete on cell.offering_name to investor_token_app;

create table cell.wallet (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  position bigint not null,
  blockchain text not null default 'ethereum' check (length(blockchain) between 1 and 100),
  public_address text not null,
  name text not null,
  provider text not null check (
    provider in ('METAMASK', 'WALLETCONNECT', 'FIREBLOCKS', 'CONCORDIUM', 'MAGIC_LINK', 'STELLAR')
  ),
  type text not null check (type in ('BROWSER_WALLET', 'MOBILE_WALLET', 'POINT_WALLET')),
  status text not null check (status in ('ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'EXPIRED')),
  -- The investor signs the challenge to prove ownership of the address. It is open only while the wallet is pending,
  -- and the first response uses it up.
  challenge_nonce text,
  challenge_expires_at timestamptz,
  proven_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  -- Lets foreign keys require that a wallet belongs to the account of the referencing row.
  unique (tenant_id, account_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  constraint wallet_challenge_is_whole check ((challenge_nonce is null) = (challenge_expires_at is null)),
  constraint wallet_challenge_is_open check (status = 'PENDING' or challenge_nonce is null)
);
create unique index wallet_position on cell.wallet (tenant_id, account_id, position);
-- Two accounts must not share an address: the owner of the tokens at that address would be ambiguous.
create unique index wallet_address on cell.wallet (tenant_id, blockchain, lower(public_address));
-- For lookups by exact address: lower() is not leakproof, so row-level security keeps the planner from using
-- wallet_address.
create index wallet_public_address on cell.wallet (tenant_id, blockchain, public_address);
create index wallet_challenge on cell.wallet (challenge_expires_at) where status = 'PENDING';
alter table cell.wallet enable row level security, force row level security;
create policy of_tenant on cell.wallet using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.wallet to investor_token_app;
-- The worker finds expired challenges of all tenants and sees only these columns.
create policy for_worker on cell.wallet for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = wallet.tenant_id and residence.state = 'here')
);
grant select (tenant_id, id, status, challenge_expires_at) on cell.wallet to investor_token_worker;

-- Signers and chain operations precede orders because an order references the operation that mints it.

-- The key that signs a tenant's transactions on a chain. Locking the row serializes nonce assignment.
create table cell.chain_signer (
  tenant_id uuid not null references cell.tenant (id),
  chain text not null check (length(chain) between 1 and 100),
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Not an enumeration: the application declares the backends.
  key_backend text not null check (key_backend ~ '^[a-z][a-z0-9-]{0,30}$'),
  -- Opaque to everything but the key backend: the encrypted private key, or the label of a key in an HSM.
  key_data bytea not null,
  desk_address text not null check (desk_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- The admin of the desk and of new tokens. Unless it is the signer, the service cannot grant roles.
  admin_address text not null check (admin_address ~ '^0x[0-9a-fA-F]{40}$'),
  next_nonce bigint not null default 0 check (next_nonce >= 0),
  created_at timestamptz not null default now(),
  primary key (tenant_id, chain)
);
-- Two tenants must not share a signer: each would assign the same nonces.
create unique index chain_signer_address on cell.chain_signer (chain, lower(address));
alter table cell.chain_signer enable row level security, force row level security;
create policy of_tenant on cell.chain_signer using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.chain_signer to investor_token_app;
-- The indexer reads mints of all desks.
create policy for_worker on cell.chain_signer for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = chain_signer.tenant_id and residence.state = 'here')
);
grant select (tenant_id, chain, desk_address, next_nonce) on cell.chain_signer to investor_token_worker;

-- An operation that must execute on the chain exactly once.
create table cell.chain_op (
  tenant_id uuid not null,
  id uuid not null,
  chain text not null,
  kind text not null check (
    kind in (
      'DEPLOY_FACTORY', 'DEPLOY_DESK', 'DEPLOY_TOKEN', 'GRANT_ROLE', 'REGISTER_WALLETS', 'UNREGISTER_WALLETS', 'MINT',
      'FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE', 'SET_CAP'
    )
  ),
  -- Requesting the same operation again yields the existing row.
  dedupe_key text not null check (length(dedupe_key) between 1 and 200),
  to_address text not null check (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  data text not null check (data ~ '^0x([0-9a-f]{2})*$'),
  offering_id uuid,
  -- The worker does not send this operation until that one is final.
  depends_on uuid,
  state text not null default 'QUEUED' check (
    state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED', 'FINAL', 'REVERTED', 'CANCELLED', 'ALARM')
  ),
  nonce bigint,
  gas bigint,
  mined_hash text,
  mined_block bigint,
  mined_block_hash text,
  -- The decoded reason why it reverted or needs an operator.
  failure text,
  -- An operator requested cancellation: an empty transaction consumes the nonce instead.
  is_cancelling boolean not null default false,
  -- An operator requested a higher fee; the next check applies it.
  is_bumping boolean not null default false,
  -- When an operator has retried it. Until then a failed operation is open work; a mint returns its orders by itself.
  handled_at timestamptz,
  -- When a worker checks the operation next.
  next_check_at timestamptz not null default now(),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, dedupe_key),
  foreign key (tenant_id, chain) references cell.chain_signer (tenant_id, chain),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, depends_on) references cell.chain_op (tenant_id, id)
);
create unique index chain_op_nonce on cell.chain_op (tenant_id, chain, nonce);
create index chain_op_due on cell.chain_op (next_check_at) where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED');
create index chain_op_failed on cell.chain_op (tenant_id, changed_at, id)
  where (state = 'ALARM' or (state = 'REVERTED' and kind <> 'MINT')) and handled_at is null;
create index chain_op_history on cell.chain_op (tenant_id, offering_id, created_at, id);
create index chain_op_offering on cell.chain_op (tenant_id, offering_id, id);
create index chain_op_state on cell.chain_op (tenant_id, state, id);
create index chain_op_kind on cell.chain_op (tenant_id, kind, id);
alter table cell.chain_op enable row level security, force row level security;
create policy of_tenant on cell.chain_op using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.chain_op to investor_token_app;
create policy for_worker on cell.chain_op for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = chain_op.tenant_id and residence.state = 'here')
);
grant select (tenant_id, id, chain, kind, state, next_check_at, created_at, changed_at, handled_at) on cell.chain_op
  to investor_token_worker;

-- Price, total, currency, collection account and whether it must be accepted are copied from the offering when the order
-- is created.
create table cell.token_order (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  account_id uuid not null,
  offering_position bigint not null,
  account_position bigint not null,
  status text not null default 'ORDERED' check (
    status in ('ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT', 'MINTING', 'MINTED', 'CANCELLED')
  ),
  units numeric(78, 0) not null check (units > 0),
  price_per_token numeric not null,
  total_amount numeric not null check (total_amount >= 0),
  paid_amount numeric not null default 0 check (paid_amount >= 0),
  currency text not null,
  -- For lists, which sort and filter by them.
  total_minor bigint not null generated always as (base.minor_units(total_amount, currency)) stored,
  -- What is missing while the order waits for payment.
  missing_minor bigint not null generated always as (
    case status when 'ORDERED' then base.minor_units(total_amount - paid_amount, currency) else 0 end
  ) stored,
  payment_provider text check (payment_provider in ('bank_transfer', 'stripe', 'checkout', 'tokensale')),
  payment_bank_account jsonb not null,
  -- The buyer quotes it in the bank transfer, so that the payment can be matched to the order.
  payment_reference text not null,
  payment_due_at timestamptz not null,
  -- The blockers reported in the most recent event.
  reported_blockers text[] not null default '{}',
  -- The wallet that receives the tokens; set once all other conditions are met.
  mint_wallet_id uuid,
  mint_op_id uuid,
  mint_failures integer not null default 0 check (mint_failures >= 0),
  -- Why the order needs an operator before it can be minted, although it is ready.
  mint_hold_reason text,
  acceptance_required boolean not null default false,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  paid_at timestamptz,
  cancelled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  constraint token_order_mint_wallet foreign key (tenant_id, account_id, mint_wallet_id)
    references cell.wallet (tenant_id, account_id, id),
  constraint token_order_mint_op foreign key (tenant_id, mint_op_id) references cell.chain_op (tenant_id, id),
  constraint token_order_cancelled_has_date check ((status = 'CANCELLED') = (cancelled_at is not null))
);
create unique index token_order_offering_position on cell.token_order (tenant_id, offering_id, offering_position);
create unique index token_order_account_position on cell.token_order (tenant_id, account_id, account_position);
create unique index token_order_payment_reference on cell.token_order (tenant_id, payment_reference);
create index token_order_due on cell.token_order (payment_due_at) where status = 'ORDERED';
create index token_order_status on cell.token_order (tenant_id, status, id);
-- The orders of an offering to check again when its soft cap is met, or to cancel when it is missed.
create index token_order_offering_status on cell.token_order (tenant_id, offering_id, status, id);
create index token_order_offering on cell.token_order (tenant_id, offering_id, id);
create index token_order_account on cell.token_order (tenant_id, account_id, id);
create index token_order_total on cell.token_order (tenant_id, total_minor, id);
create index token_order_missing on cell.token_order (tenant_id, missing_minor, id);
create index token_order_payment_due on cell.token_order (tenant_id, payment_due_at, id);
-- The orders to re-evaluate when an account changes: those past payment, and free ones, which need no payment.
create index token_order_mint_preconditions on cell.token_order (tenant_id, account_id, id)
  where status in ('PAID', 'READYTOMINT') or (status = 'ORDERED' and total_amount = 0);
create index token_order_ready on cell.token_order (tenant_id, offering_id, id)
  where status = 'READYTOMINT' and mint_hold_reason is null;
-- The orders that wait for their tokens, of all tenants, for metrics.
create index token_order_unminted on cell.token_order (status, paid_at)
  where status in ('PAID', 'READYTOMINT', 'MINTING');
create index token_order_mint_op on cell.token_order (tenant_id, mint_op_id) where status = 'MINTING';
-- The work of operators.
create index token_order_to_accept on cell.token_order (tenant_id, paid_at, id)
  where status = 'PAID' and acceptance_required and accepted_at is null;
create index token_order_on_hold on cell.token_order (tenant_id, created_at, id)
  where status = 'READYTOMINT' and mint_hold_reason is not null;
create index token_order_part_paid on cell.token_order (tenant_id, payment_due_at, id)
  where status = 'ORDERED' and paid_amount > 0;
alter table cell.token_order enable row level security, force row level security;
create policy of_tenant on cell.token_order using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.token_order to investor_token_app;
-- The worker finds overdue and mintable orders of all tenants and sees only these columns.
create policy for_worker on cell.token_order for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = token_order.tenant_id and residence.state = 'here')
);
grant select (tenant_id, id, offering_id, status, payment_due_at, paid_at, mint_hold_reason) on cell.token_order
  to investor_token_worker;

-- Why an order does not advance, for the list of the orders with a certain blocker. Only the blockers that no other
-- column finds; the others follow from the status of the order and from its offering.
create table cell.order_blocker (
  tenant_id uuid not null,
  code text not null,
  order_id uuid not null,
  primary key (tenant_id, code, order_id),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id)
);
create index order_blocker_order on cell.order_blocker (tenant_id, order_id);
alter table cell.order_blocker enable row level security, force row level security;
create policy of_tenant on cell.order_blocker using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.order_blocker to investor_token_app;

-- Incoming payments. Reporting the same payment twice yields one row.
create table cell.payment (
  tenant_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  provider text not null check (provider in ('manual', 'bank_transfer', 'stripe', 'checkout', 'tokensale')),
  -- Longer than a provider's: a part of a payment that was split has a number after it.
  provider_reference text not null check (length(provider_reference) between 1 and 220),
  amount numeric not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  received_at timestamptz not null,
  -- IBAN and name of the payer, encrypted by the application; null if no IBAN was reported. Refunds go back there.
  payer bytea,
  created_at timestamptz not null default clock_timestamp(),
  -- Of a payment recorded by hand: the approval of the second person who confirmed it.
  approval_id uuid,
  -- Of a payment recorded by hand: when a bank or a provider reported an amount that is probably the same money.
  matched_at timestamptz,
  -- When the bank took the money back, or an operator took it off the order. A reversed payment counts no longer.
  reversed_at timestamptz,
  -- The unassigned payment that an operator assigned, or that this payment became when it was reversed.
  unassigned_payment_id uuid,
  primary key (tenant_id, id),
  unique (tenant_id, provider, provider_reference),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id)
);
create index payment_unassigned on cell.payment (tenant_id, unassigned_payment_id) where unassigned_payment_id is not null;
create index payment_order on cell.payment (tenant_id, order_id, id);
alter table cell.payment enable row level security, force row level security;
create policy of_tenant on cell.payment using (tenant_id = base.current_tenant_id());
grant select, insert, update (matched_at, reversed_at, unassigned_payment_id) on cell.payment to investor_token_app;

create table cell.refund (
  tenant_id uuid not null,
  id uuid not null,
  -- Null if an unassigned payment goes back to its payer.
  order_id uuid,
  -- The payment that is paid back; null if the refund is of the order as a whole.
  payment_id uuid,
  unassigned_payment_id uuid,
  -- The account of the tenant that pays an unassigned payment back. Otherwise it is that of the order.
  collection_account jsonb,
  reason text not null check (reason in ('overpaid', 'not_paid_in_time', 'late', 'cancelled', 'not_assigned')),
  amount numeric not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- withdrawn: the money was applied to the order before the refund was sent.
  status text not null default 'due' check (status in ('due', 'sent', 'settled', 'failed', 'withdrawn')),
  reference text,
  failure text,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  -- A second person approved to pay it to this version of the account's bank data instead of to the payer.
  approved_bank_account_version integer,
  account_approved_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id),
  foreign key (tenant_id, payment_id) references cell.payment (tenant_id, id),
  constraint refund_of_order_or_unassigned check (
    (order_id is null) = (unassigned_payment_id is not null)
    and (order_id is null) = (reason = 'not_assigned') and (order_id is null) = (collection_account is not null)
  ),
  constraint refund_account_approval check ((approved_bank_account_version is null) = (account_approved_at is null))
);
create index refund_unassigned on cell.refund (tenant_id, unassigned_payment_id) where unassigned_payment_id is not null;
create index refund_order on cell.refund (tenant_id, order_id, id);
create index refund_status on cell.refund (tenant_id, status, id);
-- The work of operators.
create index refund_due on cell.refund (tenant_id, created_at, id) where status = 'due';
create index refund_late on cell.refund (tenant_id, created_at, id) where status = 'due' and reason = 'late';
create index refund_failed on cell.refund (tenant_id, changed_at, id) where status = 'failed';
create index refund_sent on cell.refund (tenant_id, changed_at, id) where status = 'sent';
alter table cell.refund enable row level security, force row level security;
create policy of_tenant on cell.refund using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.refund to investor_token_app;

-- Files that operators add to an account, an order or an offering. The content is in parts.
create table cell.document (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  account_id uuid,
  order_id uuid,
  offering_id uuid,
  kind text not null check (
    kind in ('identity', 'address', 'register', 'tax', 'contract', 'prospectus', 'other')
  ),
  content_type text not null check (content_type in ('application/pdf', 'image/png', 'image/jpeg', 'text/plain')),
  bytes integer not null check (bytes between 1 and 10485760),
  sha256 bytea not null check (length(sha256) = 32),
  uploaded_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  constraint document_has_one_subject check (num_nonnulls(account_id, order_id, offering_id) = 1)
);
create index document_account on cell.document (tenant_id, account_id, id) where account_id is not null;
create index document_order on cell.document (tenant_id, order_id, id) where order_id is not null;
create index document_offering on cell.document (tenant_id, offering_id, id) where offering_id is not null;
-- Sending a file again changes nothing.
create unique index document_account_hash on cell.document (tenant_id, account_id, sha256) where account_id is not null;
create unique index document_order_hash on cell.document (tenant_id, order_id, sha256) where order_id is not null;
create unique index document_offering_hash on cell.document (tenant_id, offering_id, sha256)
  where offering_id is not null;
alter table cell.document enable row level security, force row level security;
create policy of_tenant on cell.document using (tenant_id = base.current_tenant_id());
grant select, insert, update, delete on cell.document to investor_token_app;

-- The content, encrypted by the application part by part: a whole file would be too large to encrypt again in a batch
-- when the data key is rotated.
create table cell.document_part (
  tenant_id uuid not null,
  document_id uuid not null,
  number integer not null check (number >= 0),
  content bytea not null,
  primary key (tenant_id, document_id, number),
  foreign key (tenant_id, document_id) references cell.document (tenant_id, id)
);
alter table cell.document_part enable row level security, force row level security;
create policy of_tenant on cell.document_part using (tenant_id = base.current_tenant_id());
grant select, insert, update, delete on cell.document_part to investor_token_app;
