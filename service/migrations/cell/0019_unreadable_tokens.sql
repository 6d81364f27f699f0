-- Tokens whose logs no node returns. The indexer sets them aside, goes on with all others, and reads them later.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Time since which the token has been set aside. Its logs are complete up to backfilled_to.
alter table cell.indexed_token add column if not exists unreadable_since timestamptz;

-- The last block up to which the register of the token is complete; null if it is up to the indexer's cursor.
alter table cell.offering add column if not exists token_read_to bigint;
-- Time since which operators have known that the token cannot be read. Its orders are not minted meanwhile.
alter table cell.offering add column if not exists token_unreadable_since timestamptz;
grant select (token_read_to, token_unreadable_since) on cell.offering to investor_token_worker;
