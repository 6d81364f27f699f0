import { changes, counts, grows, lasts, type Noticed, pages, type Silence, standsStill, tickets } from './silence.ts'

type Stopped = Omit<Silence, 'labels'>

/** Names a stop and the alert that notices it. In the series, CELL stands for a separate cell. */
function stops(
  kind: Silence['kind'],
  name: string,
  how: string,
  noticed: Noticed,
  series: Record<string, string>,
): Stopped {
  return { kind, name, how, ...noticed, series }
}

/** Puts each into a separate cell. */
function inOwnCell({ series, ...stopped }: Stopped, index: number): Silence {
  const cell = `own-${index}`
  const own = Object.entries(series).map(([text, values]) => [text.replace('CELL', cell), values])
  return { ...stopped, labels: { cell }, series: Object.fromEntries(own) }
}

const others: readonly Stopped[] = [
  stops('chain', 'minting', 'nothing is planned: orders stay READYTOMINT', pages('OrdersUnminted', 37), {
    'orders_unminted_oldest_seconds{cell="CELL",chain="c",state="READYTOMINT"}': grows,
  }),
  stops('chain', 'minting', 'nothing becomes final: orders stay MINTING', pages('OrdersUnminted', 37), {
    'orders_unminted_oldest_seconds{cell="CELL",chain="c",state="MINTING"}': grows,
  }),
  ...['QUEUED', 'RESERVED', 'SIGNED', 'MINED'].map((state) =>
    stops('chain', 'chain op', `stays ${state}`, tickets('ChainOpStuck', 37), {
      [`chain_op_oldest_seconds{cell="CELL",chain="c",state="${state}"}`]: grows,
    }),
  ),
  stops('chain', 'indexer of a chain', 'no indexer has the lease of the cell', pages('IndexerMissing', 7), {
    'chain_op_failures_total{cell="CELL",chain="c",reason="node"}': lasts(0),
    'indexer_lag_seconds{cell="CELL",chain="c"}': '2x29 stale',
  }),
  stops('chain', 'indexer of a chain', 'does not get further', pages('IndexerStale', 20), {
    'indexer_lag_seconds{cell="CELL",chain="c"}': grows,
  }),
  stops('chain', 'node', 'does not respond', tickets('ChainNodeUnreachable', 4), {
    'indexer_up{cell="CELL",chain="c"}': changes(1, 0),
  }),
  stops('chain', 'finality', 'a finalized block is replaced', pages('FinalizedBlockReplaced', 2), {
    'indexer_stopped{cell="CELL",chain="c"}': changes(0, 1),
  }),
  stops('chain', 'minting', 'is stopped for an offering', pages('MintingStopped', 3), {
    'offerings_minting_stopped{cell="CELL"}': changes(0, 1),
  }),
  stops('chain', 'signer', 'has no gas', pages('SignerOutOfGas', 7), {
    'signers_low_on_gas{cell="CELL",chain="c"}': changes(0, 1),
  }),
  stops('cell', 'cell', 'no worker serves it', pages('CellUnserved', 13), {
    'cell_measured_age_seconds{cell="CELL"}': grows,
  }),
  stops('cell', 'cell', 'its database is down, or lacks migrations', pages('DatabaseUnavailable', 4), {
    'readiness_check{check="cell CELL"}': changes(1, 0),
  }),
  stops('cell', 'move of a tenant', 'is interrupted', pages('MoveInterrupted', 3), {
    'tenants_leaving{cell="CELL"}': changes(0, 1),
  }),
  stops('webhook', 'events', 'get no number', pages('EventsNotNumbered', 12), {
    'event_outbox_oldest_seconds{cell="CELL"}': grows,
  }),
  stops('webhook', 'deliveries', 'are due and not attempted', pages('WebhooksBehind', 17), {
    'webhook_delivery_oldest_seconds{cell="CELL"}': grows,
  }),
  stops('money', 'bank statement', 'is booked and not matched', pages('StatementUnmatched', 67), {
    'bank_statement_unmatched_oldest_seconds{cell="CELL"}': grows,
  }),
  stops('money', 'bank', 'sends no statements', tickets('BankStatementMissing', 2_180), {
    'bank_statement_silence_seconds{cell="CELL"}': grows,
  }),
  stops('money', 'export', 'is not finished', tickets('ExportStuck', 127), {
    'export_oldest_seconds{cell="CELL"}': grows,
  }),
  stops('money', 'second person', 'does not decide', tickets('ApprovalWaits', 1_460), {
    'approval_oldest_seconds{cell="CELL"}': grows,
  }),
  stops('money', 'comparison with the chain', 'does not happen for one token', tickets('ReconciliationOld', 380), {
    'reconciliation_oldest_time_seconds{cell="CELL"}': standsStill,
  }),
]

const unlabelled: readonly Silence[] = [
  {
    ...stops('webhook', 'fan-out', 'fails for one tenant, while the loop succeeds', tickets('ItemsFail', 23), {
      'item_failures_total{problem="fan-out"}': counts,
    }),
    labels: { problem: 'fan-out' },
  },
  {
    ...stops('mail', 'mail server', 'does not respond', tickets('MailNotSent', 5), {
      'job_failures_total{cell="mails",task="mail-server",final="false"}': counts,
    }),
    labels: { task: 'mail-server' },
  },
]

export const workSilences: readonly Silence[] = [...others.map(inOwnCell), ...unlabelled]
