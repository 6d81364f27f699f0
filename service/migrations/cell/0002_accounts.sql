-- Investors' accounts and the owners behind companies.

-- The keys that a tenant's sensitive data is encrypted with, themselves encrypted with a master key that is not in the
-- database. The newest one encrypts; all decrypt.
create table cell.data_key (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
alter table cell.data_key enable row level security, force row level security;
create policy of_tenant on cell.data_key using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.data_key to investor_token_app;

-- How many rows a parent has is counted where the parent is, in the statement that adds one. The count gives the new row
-- its position, so a page at any offset is one index seek and nobody ever counts rows.
alter table cell.tenant add column account_count bigint not null default 0;
alter table cell.tenant add column offering_count bigint not null default 0;
grant update (account_count, offering_count) on cell.tenant to investor_token_app;

create table cell.account (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  position bigint not null,
  type text not null check (type in ('INDIVIDUAL', 'COMPANY')),
  email text not null check (length(email) <= 254),
  email_confirmed boolean not null,
  is_beneficiary boolean not null,
  -- The members of `individual` or `company`, as the type says.
  profile jsonb not null check (jsonb_typeof(profile) = 'object'),
  full_name text not null generated always as (
    case type when 'COMPANY' then profile ->> 'name' else (profile ->> 'firstName') || ' ' || (profile ->> 'lastName') end
  ) stored,
  -- Encrypted by the application, with the id of the key inside.
  bank_account bytea not null,
  tax_information bytea,
  kyc_status text not null check (kyc_status in ('NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED')),
  kyb_status text not null check (kyb_status in ('NEW', 'DEACTIVATED', 'PENDING', 'APPROVED', 'REJECTED')),
  benefiting_person_count integer not null default 0 check (benefiting_person_count <= 1000),
  order_count bigint not null default 0,
  wallet_count bigint not null default 0,
  balance_count bigint not null default 0,
  transaction_count bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index account_position on cell.account (tenant_id, position);
alter table cell.account enable row level security, force row level security;
create policy of_tenant on cell.account using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.account to investor_token_app;

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
grant select, insert on cell.benefiting_person to investor_token_app;
