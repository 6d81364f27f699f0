import { minutes, type Objective } from './signal.ts'

const served = 'operation!="none"'

/** What we promise, over 30 days. */
export const objectives: readonly Objective[] = [
  {
    name: 'RequestsFail',
    id: 'availability',
    target: 0.999,
    description: 'Requests that get a response other than 5xx',
    failures: (window) =>
      `sum(rate(http_server_request_duration_count{${served},status=~"5.."}[${window}])) / ` +
      `sum(rate(http_server_request_duration_count{${served}}[${window}]))`,
    summary: 'Too many requests get 5xx.',
    meaning: 'Integrators or operators cannot work. The SDK and webhooks retry; people see an error.',
    steps: [
      'Panel "Requests by status": which process and operation? `503` alone means a limit or a database; `500` means a defect.',
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
    description: 'Requests that take at most 0.5 s',
    failures: (window) =>
      `1 - sum(rate(http_server_request_duration_bucket{${served},le="0.5"}[${window}])) / ` +
      `sum(rate(http_server_request_duration_count{${served}}[${window}]))`,
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
    name: 'WebhooksSlow',
    id: 'webhooks',
    target: 0.99,
    description: 'Webhooks whose first delivery takes at most 60 s from the event',
    failures: (window) =>
      `1 - sum(rate(webhook_delay_seconds_bucket{le="60"}[${window}])) / sum(rate(webhook_delay_seconds_count[${window}]))`,
    summary: 'Too many webhooks arrive later than 60 s after their event.',
    meaning: 'Integrators learn late that an order was paid or minted. Nothing is lost: deliveries are stored.',
    steps: [
      'Panel "Oldest event without a number": if it grows, the loop `number-events` does not run. See `LoopStalled`.',
      'Panel "Jobs that could run": a backlog in the queue `webhooks` means too few workers, or a receiver of one tenant that hangs.',
      'Start another worker. Each tenant has its fair share, so more workers help all.',
    ],
    dashboard: 'background',
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
  {
    name: 'MintingSlow',
    id: 'minting',
    target: 0.99,
    description: 'Orders that have final tokens within 15 minutes of their payment',
    failures: (window) =>
      `1 - sum(rate(order_paid_to_minted_seconds_bucket{le="900"}[${window}])) / ` +
      `sum(rate(order_paid_to_minted_seconds_count[${window}]))`,
    summary: 'Too many orders wait longer than 15 minutes for their tokens.',
    meaning: 'Investors have paid and have no tokens. Orders with a blocker, such as a missing approval, count too.',
    steps: [
      'Panel "Paid orders without tokens" by state: `PAID` waits for people (see Work in the console), `READYTOMINT` and `MINTING` wait for the chain.',
      'Panel "Chain ops that are not done": ops that stay in one state, or in ALARM.',
      'Tickets about gas, fees, nonces or nodes name the cause.',
    ],
    dashboard: 'chain',
  },
]

/** How fast the budget burns, as a multiple of what would use it up in 30 days, over a long and a short window. */
export const burnRates = [
  { severity: 'page', factor: 14.4, short: 5 * minutes, long: 60 * minutes },
  { severity: 'page', factor: 6, short: 30 * minutes, long: 360 * minutes },
  { severity: 'ticket', factor: 3, short: 120 * minutes, long: 1_440 * minutes },
  { severity: 'ticket', factor: 1, short: 360 * minutes, long: 4_320 * minutes },
] as const
