-- Who may buy an offering: rules, invited accounts, documents to accept and a questionnaire. A rule that is not met is
-- a blocker.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- The rules of an offering. An offering without a row is sold to everyone.
create table cell.eligibility (
  tenant_id uuid not null,
  offering_id uuid not null,
  -- Counts the changes. Required documents and questionnaires have the version that introduced them.
  version integer not null check (version > 0),
  -- Null: all countries except the refused ones.
  allowed_countries text[],
  refused_countries text[] not null,
  -- Null: both.
  account_types text[] check (account_types <@ array['INDIVIDUAL', 'COMPANY']),
  -- The largest sum of the orders of one account; null: no limit.
  investor_max_amount numeric(38, 18) check (investor_max_amount > 0),
  is_invited_only boolean not null,
  -- Null: no questionnaire.
  questionnaire_version integer,
  primary key (tenant_id, offering_id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
alter table cell.eligibility enable row level security, force row level security;
create policy of_tenant on cell.eligibility using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.eligibility to investor_token_app;

-- Accounts that may buy an offering for invited investors.
create table cell.invited_account (
  tenant_id uuid not null,
  offering_id uuid not null,
  account_id uuid not null,
  invited_at timestamptz not null,
  primary key (tenant_id, offering_id, account_id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id)
);
alter table cell.invited_account enable row level security, force row level security;
create policy of_tenant on cell.invited_account using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.invited_account to investor_token_app;

-- The documents of an offering that an investor must accept. The hash stays if the file is deleted.
create table cell.required_document (
  tenant_id uuid not null,
  offering_id uuid not null,
  document_id uuid not null,
  kind text not null,
  sha256 bytea not null check (length(sha256) = 32),
  version integer not null,
  primary key (tenant_id, offering_id, document_id),
  foreign key (tenant_id, offering_id) references cell.eligibility (tenant_id, offering_id)
);
alter table cell.required_document enable row level security, force row level security;
create policy of_tenant on cell.required_document using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.required_document to investor_token_app;

-- Acceptance of a document by an account: which one, by its hash, and when. Never changed or deleted.
create table cell.document_acceptance (
  tenant_id uuid not null,
  account_id uuid not null,
  offering_id uuid not null,
  document_id uuid not null,
  sha256 bytea not null check (length(sha256) = 32),
  version integer not null,
  accepted_at timestamptz not null,
  primary key (tenant_id, account_id, offering_id, document_id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id)
);
alter table cell.document_acceptance enable row level security, force row level security;
create policy of_tenant on cell.document_acceptance using (tenant_id = base.current_tenant_id());
grant select, insert on cell.document_acceptance to investor_token_app;

-- Every version of the questionnaire of an offering. Never changed, so that old answers stay readable.
create table cell.questionnaire (
  tenant_id uuid not null,
  offering_id uuid not null,
  version integer not null,
  definition jsonb not null check (length(definition::text) <= 60000),
  primary key (tenant_id, offering_id, version),
  foreign key (tenant_id, offering_id) references cell.eligibility (tenant_id, offering_id)
);
alter table cell.questionnaire enable row level security, force row level security;
create policy of_tenant on cell.questionnaire using (tenant_id = base.current_tenant_id());
grant select, insert on cell.questionnaire to investor_token_app;

-- The answers of an account to one version of a questionnaire.
create table cell.questionnaire_answer (
  tenant_id uuid not null,
  offering_id uuid not null,
  account_id uuid not null,
  version integer not null,
  -- Encrypted by the application. Null once the account is erased.
  answers bytea,
  outcome text not null check (outcome in ('appropriate', 'warned', 'refused')),
  is_warning_accepted boolean not null,
  answered_at timestamptz not null,
  primary key (tenant_id, offering_id, account_id, version),
  foreign key (tenant_id, offering_id, version) references cell.questionnaire (tenant_id, offering_id, version),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id)
);
create index questionnaire_answer_account on cell.questionnaire_answer (tenant_id, account_id);
alter table cell.questionnaire_answer enable row level security, force row level security;
create policy of_tenant on cell.questionnaire_answer using (tenant_id = base.current_tenant_id());
grant select, insert, update (answers, outcome, is_warning_accepted, answered_at) on cell.questionnaire_answer
  to investor_token_app;
