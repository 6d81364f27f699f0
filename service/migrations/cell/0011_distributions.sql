-- Money that an issuer pays to the holders of a token: coupons, dividends and redemptions.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Interest that falls due at regular intervals. A job drafts a distribution for each period.
create table cell.coupon_schedule (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  nominal_per_token text not null check (length(nominal_per_token) between 1 and 60),
  -- Percent of the nominal amount per year.
  rate_percent text not null check (length(rate_percent) between 1 and 60),
  day_count text not null check (day_count in ('30/360', 'ACT/365', 'ACT/ACT_ICMA', 'ACT/ACT_ISDA')),
  business_days text not null check (business_days in ('NONE', 'FOLLOWING', 'MODIFIED_FOLLOWING')),
  -- Interest runs from this day; the first payment is at first_pays_on, the next ones follow after these months.
  interest_from date not null,
  first_pays_on date not null,
  months integer not null check (months in (1, 3, 6, 12)),
  matures_on date not null,
  -- The record time is the end of the day this many business days before the payment.
  record_days integer not null check (record_days between 0 and 30),
  -- A draft is created this many days before the payment.
  draft_days integer not null check (draft_days between 0 and 90),
  source_account jsonb not null check (jsonb_typeof(source_account) = 'object'),
  withholding jsonb not null check (jsonb_typeof(withholding) = 'object'),
  -- The number of the next period; the first is 1.
  next_number integer not null default 1 check (next_number between 1 and 10000),
  status text not null default 'active' check (status in ('active', 'ended')),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  constraint coupon_schedule_days check (interest_from < first_pays_on and first_pays_on <= matures_on)
);
create index coupon_schedule_offering on cell.coupon_schedule (tenant_id, offering_id, id);
alter table cell.coupon_schedule enable row level security, force row level security;
create policy of_tenant on cell.coupon_schedule using (tenant_id = base.current_tenant_id());
grant select, insert, update (next_number, status) on cell.coupon_schedule to investor_token_app;

create table cell.distribution (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  kind text not null check (kind in ('COUPON', 'DIVIDEND', 'REDEMPTION')),
  status text not null default 'DRAFT' check (
    status in ('DRAFT', 'CALCULATING', 'CALCULATED', 'APPROVED', 'PAYING', 'CLOSED', 'CANCELLED')
  ),
  -- Addresses with units at this time are entitled.
  record_at timestamptz not null,
  pay_on date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- An exact decimal or a fraction such as 910/73, for each whole token; or an amount that all units share.
  rate_per_token text check (length(rate_per_token) between 1 and 80),
  total_amount numeric check (total_amount > 0),
  -- The tenant's account that pays. Not encrypted, like that of an offering.
  source_account jsonb not null check (jsonb_typeof(source_account) = 'object'),
  -- Percent to withhold, by country: {"DE": "26.375"}.
  withholding jsonb not null check (jsonb_typeof(withholding) = 'object'),
  schedule_id uuid,
  period_number integer,
  -- The last finalized block at or before record_at in which the token moved, and the supply after it.
  record_block bigint,
  supply numeric(78, 0),
  -- Units of all entitlements so far. A calculation ends only if they add up to the supply.
  units_sum numeric(78, 0) not null default 0,
  -- Reason why the last calculation failed.
  failure text check (length(failure) <= 500),
  -- Position at which the job that calculates (an address) or writes files (an entitlement) continues; null at the
  -- beginning.
  cursor text,
  -- The results of the calculation, in minor units. The remainder is total - gross.
  total_minor numeric(38, 0),
  gross_minor numeric(38, 0) not null default 0,
  withheld_minor numeric(38, 0) not null default 0,
  apart_minor numeric(38, 0) not null default 0,
  holder_count integer not null default 0,
  apart_count integer not null default 0,
  -- True while a job still writes the files of the due entitlements.
  is_filing boolean not null default false,
  file_count integer not null default 0,
  created_at timestamptz not null,
  calculated_at timestamptz,
  approved_at timestamptz,
  paying_at timestamptz,
  closed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, schedule_id) references cell.coupon_schedule (tenant_id, id),
  constraint distribution_rate_or_total check ((rate_per_token is null) <> (total_amount is null)),
  constraint distribution_period check ((schedule_id is null) = (period_number is null)),
  constraint distribution_is_calculated check (
    (status in ('DRAFT', 'CALCULATING') or status = 'CANCELLED' or calculated_at is not null)
    and (status not in ('APPROVED', 'PAYING', 'CLOSED') or approved_at is not null)
    and (calculated_at is null or total_minor is not null and record_block is not null and supply is not null)
  ),
  constraint distribution_adds_up check (gross_minor <= coalesce(total_minor, gross_minor))
);
-- A schedule drafts each period once, wherever its job is killed.
create unique index distribution_period on cell.distribution (tenant_id, schedule_id, period_number)
  where schedule_id is not null;
create index distribution_status on cell.distribution (tenant_id, status, id);
create index distribution_offering on cell.distribution (tenant_id, offering_id, id);
alter table cell.distribution enable row level security, force row level security;
create policy of_tenant on cell.distribution using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.distribution to investor_token_app;

-- Entitlement of one address. The rows of a draft come from a void calculation; no list shows them.
create table cell.entitlement (
  tenant_id uuid not null,
  id uuid not null,
  distribution_id uuid not null,
  address text collate "C" not null,
  units numeric(78, 0) not null check (units > 0),
  -- Null if no account has the address: the amount is set apart.
  account_id uuid,
  -- Position among the account's entitlements, assigned when it is paid.
  account_position bigint,
  country text check (country ~ '^[A-Z]{2}$'),
  withholding_percent text not null check (length(withholding_percent) between 1 and 10),
  gross_minor numeric(38, 0) not null check (gross_minor >= 0),
  withheld_minor numeric(38, 0) not null check (withheld_minor >= 0),
  net_minor numeric(38, 0) not null check (net_minor >= 0),
  -- nothing: the amount rounds down to 0.
  status text not null check (status in ('set_apart', 'nothing', 'due', 'sent', 'paid', 'returned')),
  -- Reason why the last file leaves it out, and what to do.
  left_out text check (length(left_out) <= 50),
  failure text check (length(failure) <= 500),
  -- Version of the account's bank data for which a second person approved the payment.
  approved_bank_account_version integer,
  changed_at timestamptz not null,
  -- The chain op that burns the units of a redemption once they are paid.
  burn_op_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, distribution_id) references cell.distribution (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  foreign key (tenant_id, burn_op_id) references cell.chain_op (tenant_id, id),
  constraint entitlement_adds_up check (gross_minor = withheld_minor + net_minor),
  constraint entitlement_set_apart check ((status = 'set_apart') = (account_id is null)),
  constraint entitlement_nothing check (account_id is null or (status = 'nothing') = (net_minor = 0)),
  constraint entitlement_failure check (failure is null or status = 'returned'),
  constraint entitlement_burns_paid check (burn_op_id is null or status in ('paid', 'returned', 'due', 'sent'))
);
create unique index entitlement_address on cell.entitlement (tenant_id, distribution_id, address);
create unique index entitlement_account on cell.entitlement (tenant_id, account_id, account_position)
  where account_position is not null;
create index entitlement_of_account on cell.entitlement (tenant_id, account_id, id) where account_id is not null;
create index entitlement_status on cell.entitlement (tenant_id, distribution_id, status, id);
create index entitlement_list on cell.entitlement (tenant_id, distribution_id, id);
create index entitlement_largest on cell.entitlement (tenant_id, distribution_id, gross_minor, id);
-- Entitlements that a redemption still has to burn.
create index entitlement_unburnt on cell.entitlement (tenant_id, distribution_id, id)
  where status = 'paid' and burn_op_id is null;
create index entitlement_burn on cell.entitlement (tenant_id, burn_op_id) where burn_op_id is not null;
alter table cell.entitlement enable row level security, force row level security;
create policy of_tenant on cell.entitlement using (tenant_id = base.current_tenant_id());
grant select, insert, delete,
  update (account_position, status, left_out, failure, approved_bank_account_version, changed_at, burn_op_id)
  on cell.entitlement to investor_token_app;

-- One file for the bank with up to 1,000 transfers.
create table cell.distribution_file (
  tenant_id uuid not null,
  id uuid not null,
  distribution_id uuid not null,
  number integer not null check (number > 0),
  status text not null default 'open' check (status in ('open', 'downloaded')),
  transfer_count integer not null check (transfer_count > 0),
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  created_at timestamptz not null,
  downloaded_at timestamptz,
  -- Encrypted by the application. Stored so that every download returns the same bytes.
  file bytea,
  primary key (tenant_id, id),
  foreign key (tenant_id, distribution_id) references cell.distribution (tenant_id, id),
  constraint distribution_file_status check (
    (status = 'downloaded') = (file is not null) and (status = 'downloaded') = (downloaded_at is not null)
  )
);
create unique index distribution_file_number on cell.distribution_file (tenant_id, distribution_id, number);
create index distribution_file_list on cell.distribution_file (tenant_id, distribution_id, id);
alter table cell.distribution_file enable row level security, force row level security;
create policy of_tenant on cell.distribution_file using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.distribution_file to investor_token_app;

-- The entitlements in each file and whom they pay. One that a bank returned can be in a later file as well.
create table cell.distribution_transfer (
  tenant_id uuid not null,
  file_id uuid not null,
  entitlement_id uuid not null,
  is_open boolean not null default true,
  -- Name, IBAN and BIC, encrypted by the application. The application cannot change it.
  creditor bytea not null,
  primary key (tenant_id, file_id, entitlement_id),
  foreign key (tenant_id, file_id) references cell.distribution_file (tenant_id, id),
  foreign key (tenant_id, entitlement_id) references cell.entitlement (tenant_id, id)
);
-- Keeps an entitlement out of two open files even if the application has a bug: the bank would pay it twice.
create unique index distribution_transfer_open on cell.distribution_transfer (tenant_id, entitlement_id) where is_open;
create index distribution_transfer_entitlement on cell.distribution_transfer (tenant_id, entitlement_id);
alter table cell.distribution_transfer enable row level security, force row level security;
create policy of_tenant on cell.distribution_transfer using (tenant_id = base.current_tenant_id());
grant select, insert, delete, update (is_open) on cell.distribution_transfer to investor_token_app;

alter table cell.account add column entitlement_count bigint not null default 0;

-- The entitlement that a bank entry settled or returned.
alter table cell.bank_entry add column entitlement_id uuid;
grant update (entitlement_id) on cell.bank_entry to investor_token_app;
alter table cell.bank_entry add constraint bank_entry_entitlement
  foreign key (tenant_id, entitlement_id) references cell.entitlement (tenant_id, id) not valid;

-- Replaces the function: it now also erases for transfers of entitlements.
create or replace function cell.erase_bank_entry(id uuid, placeholder bytea) returns void
  language sql security definer set search_path = ''
begin atomic
  update cell.bank_entry
  set details = erase_bank_entry.placeholder, note = case when note is not null then 'erased' end,
      resolution = case when resolution is not null then 'erased' end
  where bank_entry.tenant_id = base.current_tenant_id() and bank_entry.id = erase_bank_entry.id
    and bank_entry.state <> 'pending'
    and (cell.is_payment_of_erased_accounts(bank_entry.unassigned_payment_id)
      or cell.is_order_of_erased_account(coalesce(
      bank_entry.order_id,
      (select refund.order_id from cell.refund
       where refund.tenant_id = bank_entry.tenant_id and refund.id = bank_entry.refund_id),
      (select unassigned_payment.order_id from cell.unassigned_payment
       where unassigned_payment.tenant_id = bank_entry.tenant_id
         and unassigned_payment.id = bank_entry.unassigned_payment_id)
    )) or exists (
      select from cell.entitlement
      join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id
      where entitlement.tenant_id = bank_entry.tenant_id and entitlement.id = bank_entry.entitlement_id
        and account.erased_at is not null
    ));
end;

create function cell.erase_entitlement_creditor(file_id uuid, entitlement_id uuid, placeholder bytea) returns void
  language sql security definer set search_path = ''
begin atomic
  update cell.distribution_transfer set creditor = erase_entitlement_creditor.placeholder
  from cell.entitlement
  join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id
  where distribution_transfer.tenant_id = base.current_tenant_id()
    and distribution_transfer.file_id = erase_entitlement_creditor.file_id
    and distribution_transfer.entitlement_id = erase_entitlement_creditor.entitlement_id
    and entitlement.tenant_id = distribution_transfer.tenant_id
    and entitlement.id = distribution_transfer.entitlement_id and entitlement.status = 'paid'
    and account.erased_at is not null;
end;
revoke all on function cell.erase_entitlement_creditor(uuid, uuid, bytea) from public;
grant execute on function cell.erase_entitlement_creditor(uuid, uuid, bytea) to investor_token_app;
