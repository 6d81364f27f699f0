/**
 * For Alertmanager: pages to people on call, tickets to a queue, and consequences of a problem that already pages are
 * silent. The receivers are examples; an installation replaces them.
 */
export function alertmanagerConfig(): Record<string, unknown> {
  return {
    route: {
      receiver: 'tickets',
      group_by: ['alertname', 'cell'],
      routes: [{ receiver: 'pager', matchers: ['severity = page'] }],
    },
    receivers: [{ name: 'pager' }, { name: 'tickets' }],
    inhibit_rules: Object.entries(consequences).map(([cause, alerts]) => ({
      source_matchers: [`alertname = ${cause}`],
      target_matchers: [`alertname =~ "${alerts.join('|')}"`, 'severity = page'],
    })),
  }
}

/** What follows from a problem, and need not page beside it. */
const consequences: Readonly<Record<string, readonly string[]>> = {
  DatabaseUnavailable: ['RequestsFail', 'RequestsSlow', 'LoopStalled', 'WebhooksSlow', 'IndexerStale', 'MintingSlow'],
  ProcessMissing: ['LoopStalled', 'WebhooksSlow', 'IndexerStale', 'MintingSlow'],
}
