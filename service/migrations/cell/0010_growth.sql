-- Vacuum and free space of the tables that change most. By default vacuum waits until a fifth of a table is dead, which
-- is millions of rows of a large one, and pages have no room for the new version of a row beside the old one.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

alter table cell.token_order set (
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
alter table cell.chain_op set (
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
alter table cell.account set (
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Counters and cursors: few rows, changed by every write. Half of each page is kept for older versions.
alter table cell.offering set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
alter table cell.event_head set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
alter table cell.webhook_cursor set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
alter table cell.webhook_endpoint set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
alter table cell.chain_signer set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
-- A queue: nearly empty, and every row is deleted soon after it was inserted.
alter table cell.event_outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
