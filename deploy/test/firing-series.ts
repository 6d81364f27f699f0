interface FiringSeries {
  readonly firing: Readonly<Record<string, string>>
  readonly quiet: Readonly<Record<string, string>>
  /** Minute of the check; by default after two hours. */
  readonly minutes?: number
}

/** One series with other values in each case. */
function oneSeries(series: string, firing: string, quiet: string): FiringSeries {
  return { firing: { [series]: firing }, quiet: { [series]: quiet } }
}

/**
 * Series that make each alert fire, as `promtool test rules` writes them, one sample a minute, and series without the
 * problem. An objective's series make it page.
 */
export const firingSeries: Readonly<Record<string, FiringSeries>> = {
  RequestsFail: {
    firing: {
      // Only one of two cells has the problem.
      'cell_requests_total{cell="east",outcome="good"}': '0+980x120',
      'cell_requests_total{cell="east",outcome="failed"}': '0+20x120',
      'cell_requests_total{cell="main",outcome="good"}': '0+99000x120',
      'cell_requests_total{cell="main",outcome="failed"}': '0x120',
    },
    quiet: {
      'cell_requests_total{cell="main",outcome="good"}': '0+9995x120',
      'cell_requests_total{cell="main",outcome="failed"}': '0+5x120',
      // One failure of thirty requests, at night.
      'cell_requests_total{cell="east",outcome="good"}': '0+1x120',
      'cell_requests_total{cell="east",outcome="failed"}': '0x116 1x4',
    },
  },
  RequestsSlow: {
    firing: {
      'cell_requests_total{cell="main",outcome="good"}': '0+80x120',
      'cell_requests_total{cell="main",outcome="slow"}': '0+20x120',
    },
    quiet: {
      'cell_requests_total{cell="main",outcome="good"}': '0+999x120',
      'cell_requests_total{cell="main",outcome="slow"}': '0+1x120',
      // Large files on slow connections.
      'cell_requests_total{cell="main",outcome="untimed"}': '0+900x120',
    },
  },
  Watchdog: { firing: {}, quiet: {} },
  IndexerStale: oneSeries('indexer_lag_seconds{cell="main",chain="polygon",instance="a"}', '0x60 61+60x60', '2x120'),
  ProcessMissing: {
    firing: {
      'build_info{process="api"}': '1x120',
      'build_info{process="operator-api"}': '1x120',
      'build_info{process="indexer"}': '1x120',
    },
    quiet: {
      'build_info{process="api"}': '1x120',
      'build_info{process="operator-api"}': '1x120',
      'build_info{process="worker"}': '1x120',
      'build_info{process="indexer"}': '1x120',
    },
  },
  ProcessRestarts: oneSeries('process_start_time_seconds{instance="a"}', '0x110 1 2 3 4 4x6', '0x110 1x10'),
  LoopStalled: {
    firing: { 'loop_last_success_time_seconds{loop="number-events",cell="main"}': '0+60x60 3600x60' },
    quiet: {
      'loop_last_success_time_seconds{loop="number-events",cell="main"}': '0+60x120',
      // One of two workers hangs, and the other one does the work.
      'loop_last_success_time_seconds{loop="number-events",cell="main",instance="b"}': '0x120',
      'loop_last_success_time_seconds{loop="publish-audit-heads",cell="main"}': '0x60 3600x60',
      // All workers were replaced, and the first run of the new one takes long.
      'loop_last_success_time_seconds{loop="reconcile-tokens",cell="main",instance="a"}': '0+60x116 stale',
      'loop_last_success_time_seconds{loop="reconcile-tokens",cell="main",instance="b"}': '_x116 0x4',
    },
  },
  LoopFails: {
    firing: {
      'loop_failures_total{loop="number-events",cell="main",instance="a"}': '0+9x120',
      'loop_runs_total{loop="number-events",cell="main",instance="a"}': '0+10x120',
    },
    quiet: {
      'loop_failures_total{loop="number-events",cell="main",instance="a"}': '0+1x120',
      'loop_runs_total{loop="number-events",cell="main",instance="a"}': '0+10x120',
    },
  },
  ItemsFail: oneSeries('item_failures_total{problem="a mint could not be planned"}', '0+3x120', '0x100 5x20'),
  LoopHung: oneSeries('loops_hung{instance="a"}', '1x120', '0x120'),
  DatabaseUnavailable: {
    firing: { 'readiness_check{check="cell main"}': '0x120' },
    quiet: { 'readiness_check{check="cell main"}': '1x120', 'readiness_check{check="redis"}': '1x120' },
  },
  ConnectionsExhausted: {
    firing: {
      'db_pool_wait_seconds_sum{database="main",pool="app"}': '0+60x120',
      'db_pool_wait_seconds_count{database="main",pool="app"}': '0+100x120',
    },
    quiet: {
      'db_pool_wait_seconds_sum{database="main",pool="app"}': '0+1x120',
      'db_pool_wait_seconds_count{database="main",pool="app"}': '0+100x120',
    },
  },
  RedisUnavailable: oneSeries('readiness_check{check="redis"}', '0x120', '1x120'),
  MigrationsMissing: oneSeries('readiness_check{check="migrations"}', '0x120', '1x120'),
  RequestsRefused: oneSeries('requests_refused_total{reason="in_flight"}', '0+60x120', '0+1x120'),
  RequestLogLost: oneSeries('request_log_lost_total', '0x110 3x10', '3x120'),
  JobsFailed: {
    firing: { 'jobs{cell="main",queue="default",task="mail-approval",state="failed"}': '1x120' },
    quiet: {
      'jobs{cell="main",queue="default",task="mail-approval",state="failed"}': '0x120',
      'jobs{cell="main",queue="default",task="mail-approval",state="ready"}': '5x120',
    },
  },
  JobsWait: oneSeries('jobs_oldest_seconds{cell="main",queue="default"}', '301x120', '200x120'),
  JobsStopped: {
    firing: { 'jobs_oldest_seconds{cell="main",queue="statements"}': '0+60x120' },
    quiet: {
      'jobs_oldest_seconds{cell="main",queue="statements"}': '200x120',
      'jobs_oldest_seconds{cell="main",queue="exports"}': '0+60x120',
    },
  },
  JobsRetry: oneSeries(
    'jobs{cell="main",queue="default",task="refund-offering",state="retrying"}',
    '1x120',
    '0x115 1x5',
  ),
  JobRunsLong: oneSeries('job_running_oldest_seconds{cell="main",queue="default"}', '0+60x120', '30x120'),
  MailNotSent: {
    firing: { 'job_failures_total{cell="main",task="mail-approval",final="false"}': '0+1x120' },
    quiet: { 'job_failures_total{cell="main",task="refund-offering",final="false"}': '0+1x120' },
  },
  EventsNotNumbered: oneSeries('event_outbox_oldest_seconds{cell="main"}', '400x120', '3x120'),
  WebhooksBehind: oneSeries('webhook_delivery_oldest_seconds{cell="main"}', '0+60x120', '3x120'),
  OrdersUnminted: {
    firing: { 'orders_unminted_oldest_seconds{cell="main",chain="polygon",state="READYTOMINT"}': '0+60x120' },
    quiet: {
      'orders_unminted_oldest_seconds{cell="main",chain="polygon",state="READYTOMINT"}': '20x120',
      'orders_unminted_oldest_seconds{cell="main",chain="polygon",state="MINTING"}': '900x120',
      // These orders wait for people.
      'orders_unminted_oldest_seconds{cell="main",chain="polygon",state="PAID"}': '0+60x120',
      'orders_unminted_oldest_seconds{cell="main",chain="polygon",state="ON_HOLD"}': '0+60x120',
    },
  },
  IndexerMissing: {
    firing: {
      'chain_op_failures_total{cell="east",chain="polygon",reason="node"}': '0x120',
      'chain_op_failures_total{cell="main",chain="polygon",reason="node"}': '0x120',
      'indexer_lag_seconds{cell="main",chain="polygon"}': '2x120',
    },
    quiet: {
      'chain_op_failures_total{cell="main",chain="polygon",reason="node"}': '0x120',
      'indexer_lag_seconds{cell="main",chain="polygon"}': '2x120',
    },
  },
  StatementUnmatched: oneSeries('bank_statement_unmatched_oldest_seconds{cell="main"}', '0+60x120', '600x120'),
  ExportStuck: oneSeries('export_oldest_seconds{cell="main"}', '7300x120', '3600x120'),
  MintingStopped: oneSeries('offerings_minting_stopped{cell="main"}', '1x120', '0x120'),
  MintContradictsOrder: oneSeries('indexer_mint_alarms_total{cell="main",chain="polygon"}', '0x115 1x5', '1x120'),
  TokenUnreadable: oneSeries('tokens_unreadable{cell="main",chain="polygon"}', '1x120', '0x120'),
  FinalizedBlockReplaced: oneSeries('indexer_stopped{cell="main",chain="polygon"}', '1x120', '0x120'),
  SignerOutOfGas: oneSeries('signers_low_on_gas{cell="main",chain="polygon"}', '1x120', '0x120'),
  SignerGasForDays: oneSeries('signer_gas_days_min{cell="main",chain="polygon"}', '6.9x120', '7.1x120'),
  NonceGap: {
    firing: {
      'signer_nonce_gap_max{cell="main",chain="polygon"}': '2x120',
      'chain_ops{cell="main",chain="polygon",state="SIGNED"}': '0x120',
    },
    quiet: {
      'signer_nonce_gap_max{cell="main",chain="polygon"}': '2x120',
      'chain_ops{cell="main",chain="polygon",state="SIGNED"}': '2x120',
      'chain_op_oldest_seconds{cell="main",chain="polygon",state="SIGNED"}': '20x120',
    },
  },
  ChainOpStuck: {
    firing: { 'chain_op_oldest_seconds{cell="main",chain="polygon",state="QUEUED"}': '0+60x120' },
    quiet: {
      'chain_op_oldest_seconds{cell="main",chain="polygon",state="SIGNED"}': '60x120',
      // Another alert is about failed ops.
      'chain_op_oldest_seconds{cell="main",chain="polygon",state="REVERTED"}': '0+60x120',
    },
  },
  ChainOpFailed: {
    firing: { 'chain_ops{cell="main",chain="polygon",state="ALARM"}': '1x120' },
    quiet: { 'chain_ops{cell="main",chain="polygon",state="SIGNED"}': '9x120' },
  },
  FeeLimited: oneSeries('chain_op_fee_limited_total{cell="main",chain="polygon"}', '0+1x120', '7x120'),
  ChainNodeUnreachable: oneSeries('indexer_up{cell="main",chain="polygon"}', '0x120', '1x120'),
  ChainNodesDisagree: {
    firing: { 'chain_nodes{chain="polygon",state="disagrees"}': '1x120' },
    quiet: { 'chain_nodes{chain="polygon",state="behind"}': '1x120' },
  },
  ReconciliationDifference: oneSeries(
    'reconciliation_differences_total{cell="main",chain="polygon"}',
    '0x100 1x20',
    '1x120',
  ),
  ReconciliationOld: oneSeries('reconciliation_oldest_time_seconds{cell="main"}', '-20000x120', '0+60x120'),
  AuditLogRewritten: {
    firing: { 'audit_logs_rewritten_total{cell="main"}': '0x100 1x20' },
    quiet: { 'audit_logs_rewritten_total{cell="main"}': '0x120', 'audit_entries{cell="main"}': '100+1x120' },
  },
  BankStatementMissing: oneSeries('bank_statement_silence_seconds{cell="main"}', '130000x120', '100000x120'),
  CellUnserved: {
    firing: { 'cell_measured_age_seconds{cell="east",process="a"}': '0+60x120' },
    quiet: {
      'cell_measured_age_seconds{cell="east",process="a"}': '0+60x120',
      'cell_measured_age_seconds{cell="east",process="b"}': '60x120',
    },
  },
  MoveInterrupted: oneSeries('tenants_leaving{cell="main"}', '1x120', '0x118 1 0'),
  CellFills: oneSeries('cell_used_ratio{cell="main"}', '0.75x120', '0.69x120'),
  TenantFilesFill: oneSeries('tenants_files_filling{cell="main"}', '1x120', '0x120'),
  BankStatementGap: oneSeries('bank_statement_gaps{cell="main"}', '1x120', '0x120'),
  BankEntriesWait: {
    firing: { 'bank_entries_attention{cell="main"}': '1x1500' },
    quiet: { 'bank_entries_attention{cell="main"}': '1x1400 0 1x100' },
    minutes: 1_450,
  },
  ApprovalWaits: oneSeries('approval_oldest_seconds{cell="main"}', '90000x120', '80000x120'),
}
