-- Like 0010_growth, for the tables of distributions: every entitlement changes its status at least twice.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

alter table cell.entitlement set (
  fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table cell.distribution_transfer set (
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Few rows, changed by every batch of a calculation.
alter table cell.distribution set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
