/**
 * Configures Alertmanager: pages go to people on call, tickets to a queue, and the watchdog to a receiver outside the
 * installation, which raises the alarm when it hears nothing. Consequences of a problem that already pages are silent,
 * in the cell of the problem. The receivers are examples; an installation replaces them.
 */
export function alertmanagerConfig(): Record<string, unknown> {
  return {
    route: {
      receiver: 'tickets',
      group_by: ['alertname', 'cell'],
      routes: [
        { receiver: 'pager', matchers: ['severity = page'] },
        {
          receiver: 'dead-man',
          matchers: ['severity = watchdog'],
          group_wait: '0s',
          group_interval: '1m',
          repeat_interval: '1m',
        },
      ],
    },
    receivers: [{ name: 'pager' }, { name: 'tickets' }, { name: 'dead-man' }],
    inhibit_rules: causes.map(({ cause, equal, consequences }) => ({
      source_matchers: cause,
      target_matchers: [`alertname =~ "${consequences.join('|')}"`, 'severity = page'],
      ...(equal.length > 0 && { equal }),
    })),
  }
}

interface Cause {
  readonly cause: readonly string[]
  /** Labels that the consequence shares with its cause. If there are none, the consequence may be anywhere. */
  readonly equal: readonly ('cell' | 'chain')[]
  /** Alerts that follow from the problem, and need not page beside it. */
  readonly consequences: readonly string[]
}

const ofIndexers = ['IndexerStale', 'IndexerMissing', 'OrdersUnminted']
const ofWorkers = [
  'LoopStalled',
  'EventsNotNumbered',
  'WebhooksBehind',
  'OrdersUnminted',
  'JobsStopped',
  'StatementUnmatched',
]
const ofDatabases = [...new Set(['RequestsFail', 'RequestsSlow', 'CellUnserved', ...ofWorkers, ...ofIndexers])]

/**
 * Contains only problems that explain every instance of their consequence. A signer without gas, for example, belongs
 * to one tenant, and must not hide that nothing is minted for the others.
 */
const causes: readonly Cause[] = [
  {
    cause: ['alertname = ProcessMissing', 'process = worker'],
    equal: [],
    consequences: ['CellUnserved', ...ofWorkers],
  },
  { cause: ['alertname = ProcessMissing', 'process = indexer'], equal: [], consequences: ofIndexers },
  { cause: ['alertname = DatabaseUnavailable', 'check = directory'], equal: [], consequences: ofDatabases },
  { cause: ['alertname = DatabaseUnavailable'], equal: ['cell'], consequences: ofDatabases },
  { cause: ['alertname = CellUnserved'], equal: ['cell'], consequences: ofWorkers },
  {
    cause: ['alertname = LoopStalled', 'loop = number-events'],
    equal: ['cell'],
    consequences: ['EventsNotNumbered', 'WebhooksBehind'],
  },
  {
    cause: ['alertname = LoopStalled', 'loop =~ "plan-minting|advance-chain-ops"'],
    equal: ['cell'],
    consequences: ['OrdersUnminted'],
  },
  { cause: ['alertname =~ "IndexerStale|IndexerMissing"'], equal: ['cell', 'chain'], consequences: ['OrdersUnminted'] },
]
