-- What is needed to read the chains: which tokens have been read from their first block on, and quick ways from an
-- address to who has it.

alter table cell.chain_cursor
  -- Goes up when a token joins, so that a step that has not asked for its logs cannot move the cursor past them.
  add column joined_count bigint not null default 0;

-- A token takes part in reading the chain block by block once its history has been read. Of no tenant: addresses only.
create table cell.indexed_token (
  chain text not null,
  token_address text not null,
  -- That of the desk whose mints belong to it, or empty where there is none yet: with another one it is read again.
  desk_address text not null,
  -- The final block up to which its history has been read.
  read_until bigint not null,
  has_joined boolean not null default false,
  primary key (chain, token_address, desk_address)
);
grant select, insert, update on cell.indexed_token to investor_token_worker;

create policy for_worker on cell.chain_signer for select to investor_token_worker using (true);
grant select (tenant_id, chain, desk_address) on cell.chain_signer to investor_token_worker;

-- By the address as it is written: row-level security keeps functions such as lower() away from an index.
create index wallet_public_address on cell.wallet (tenant_id, blockchain, public_address);
-- What an address had before it became a wallet.
create index token_log_to on cell.token_log (tenant_id, offering_id, to_address) where kind = 'transfer';
create index token_log_from on cell.token_log (tenant_id, offering_id, from_address) where kind = 'transfer';
