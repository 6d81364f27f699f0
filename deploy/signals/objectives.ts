import { minutes, type Objective } from './signal.ts'

/** Our promises to the tenants of each cell, over 30 days. */
export const objectives: readonly Objective[] = [
  {
    name: 'RequestsFail',
    id: 'availability',
    target: 0.999,
    description: 'Requests that get a response other than 5xx',
    ...shareOf('failed', 'good|slow|untimed|failed'),
    summary: 'Too many requests get 5xx.',
    meaning: 'Integrators or operators cannot work. The SDK and webhooks retry; people see an error.',
    steps: [
      'The label `cell` says whose requests; `directory` has those without a known tenant, such as sign-ins.',
      'Panel "Requests by status": `503` alone means a limit or a database; `500` means a defect.',
      'Look for tickets about the cause: a database without connections, a node, Redis.',
      'Compare with the time of the last deployment (`build_info`). If it fits, roll back as in `upgrade.md`.',
      'Find the `request_id` of one failed request in the log of the API; the line has the error.',
    ],
    dashboard: 'service',
  },
  {
    name: 'RequestsSlow',
    id: 'latency',
    target: 0.99,
    description: 'Requests that take at most 0.5 s, without uploads, downloads and streams',
    ...shareOf('slow', 'good|slow'),
    summary: 'Too many requests take longer than 0.5 s.',
    meaning:
      'The service responds, but slowly. Often the first sign of a database that is short of CPU, disk or connections.',
    steps: [
      'Panel "Slowest operations": one operation, or all of them?',
      'All: look at "Connections in use" and "Time waited for a connection", then at the database server.',
      'One: find its statement in `pg_stat_statements` and its plan; compare with the time of the last migration.',
      'Event loop delay above 0.1 s in one process: it is short of CPU. Add a process.',
    ],
    dashboard: 'service',
  },
  {
    name: 'IndexerStale',
    id: 'indexer',
    target: 0.999,
    description: 'Time in which the indexer is at most 60 s behind the head of the chain',
    // Two indexers report while one takes over from the other: the worse one counts. NaN counts as fresh.
    recorded: {
      name: 'indexer:is_stale',
      expr: (time) => `max by (cell, chain) (indexer_lag_seconds > bool ${time.seconds(60, 15)})`,
    },
    failures: (window) => `avg_over_time(indexer:is_stale[${window}])`,
    summary: 'The indexer is more than 60 s behind the chain.',
    meaning: 'Balances, transactions and the register are old, and orders stay MINTING although their tokens exist.',
    steps: [
      'A ticket `ChainNodeUnreachable` at the same time: the node is the cause. See `chain-node.md`.',
      'Panel "Calls of nodes that fail": a node that answers with errors, or a limit of its provider.',
      'No node problem: look in the log of the indexer, and whether two of them compete for the lease.',
    ],
    dashboard: 'chain',
  },
]

/** Returns the share of a cell's requests with an outcome, and their number. */
function shareOf(outcome: string, all: string): Pick<Objective, 'failures' | 'failed'> {
  const rate = (outcomes: string, window: string) =>
    `sum by (cell) (rate(cell_requests_total{outcome=~"${outcomes}"}[${window}]))`
  return {
    failures: (window) => `${rate(outcome, window)} / ${rate(all, window)}`,
    failed: (window) => `sum by (cell) (increase(cell_requests_total{outcome="${outcome}"}[${window}]))`,
  }
}

/**
 * Rates at which the budget burns, as multiples of the one that uses it up in 30 days, in a long and a short window.
 */
export const burnRates = [
  { severity: 'page', factor: 14.4, short: 5 * minutes, long: 60 * minutes },
  { severity: 'page', factor: 6, short: 30 * minutes, long: 360 * minutes },
  { severity: 'ticket', factor: 3, short: 120 * minutes, long: 1_440 * minutes },
  { severity: 'ticket', factor: 1, short: 360 * minutes, long: 4_320 * minutes },
] as const

/** Fewer failures than this in the long window page no one: at night, one of thirty requests is 3 %. */
export const failuresMin = 10
