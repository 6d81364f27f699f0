-- Private keys of wallets created by simulations, encrypted by the application, so that a simulation can send from
-- them. Development only: no other code writes to this table.
create table cell.simulated_wallet (
  tenant_id uuid not null,
  wallet_id uuid not null,
  private_key bytea not null,
  primary key (tenant_id, wallet_id),
  foreign key (tenant_id, wallet_id) references cell.wallet (tenant_id, id)
);
alter table cell.simulated_wallet enable row level security, force row level security;
create policy of_tenant on cell.simulated_wallet using (tenant_id = base.current_tenant_id());
grant select, insert on cell.simulated_wallet to investor_token_app;
