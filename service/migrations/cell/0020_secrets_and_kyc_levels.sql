-- Secrets of proposed requests, and the levels of KYC providers.
--
-- Secrets of proposed requests, such as the signing secret of a payment provider, are stored apart from what people read.
-- An installation may keep the directory and a cell in one database, which then has these already.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- The body with its secrets, encrypted with the tenant's data key. Only the transaction that confirms reads it.
alter table base.approval add column if not exists secrets bytea;

-- Deletes the secrets when the decision is stored, even by a process of the previous release.
create or replace function base.delete_decided_secrets() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.secrets := null;
  return new;
end $$;
create or replace trigger delete_decided_secrets before update on base.approval
  for each row when (new.state <> 'pending' or new.expires_at <= now())
  execute function base.delete_decided_secrets();

-- Until now these requests were stored with their secrets, which everyone who may read approvals could read. A
-- migration cannot change encrypted data, so the requests are emptied; those that wait must be proposed again. The
-- policies of the table also apply to its owner, who runs this.
alter table base.approval no force row level security;
update base.approval set request = '', expires_at = least(expires_at, now())
where database = 'cell' and state = 'pending'
  and operation in ('createPaymentProvider', 'rotatePaymentProvider', 'createKycProvider', 'rotateKycProvider');
update base.approval set request = ''
where database = 'cell' and state <> 'pending'
  and operation in ('createPaymentProvider', 'rotatePaymentProvider', 'createKycProvider', 'rotateKycProvider');
alter table base.approval force row level security;

-- The levels of Sumsub whose reviews approve the KYC of a person, and the KYB of a company. An existing provider has
-- none: its approvals wait until its levels are set.
alter table cell.kyc_provider
  add column if not exists kyc_levels text[] not null default '{}',
  add column if not exists kyb_levels text[] not null default '{}';
grant update (kyc_levels, kyb_levels) on cell.kyc_provider to investor_token_app;

-- The level and the kind of applicant that the provider reported, and the reason why an approval does not count.
alter table cell.kyc_check
  add column if not exists level_name text,
  add column if not exists applicant_type text check (applicant_type in ('individual', 'company')),
  add column if not exists held_because text check (held_because in ('level_not_listed', 'other_applicant_type'));
