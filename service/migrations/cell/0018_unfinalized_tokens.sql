-- The worker plans the mints of a token that is in a block, before the block is finalized.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

grant select (offering_id) on cell.chain_op to investor_token_worker;
