import { objectives } from './objectives.ts'
import { alerts, ratioName } from './rules.ts'
import { type Alert, type DashboardName, hours, minutes, type Panel, type Query, TimeScale, textOf } from './signal.ts'

const served = 'operation!="none"'

/** Panels that are worth seeing although no alert is about them. */
const overview: Readonly<Record<DashboardName, readonly (readonly [string, Query, Panel['unit']])[]>> = {
  service: [
    ['Requests by status', perSecond('status', `http_server_request_duration_count{${served}}`), 'reqps'],
    [
      'Slowest operations, 99th percentile',
      (time) => `topk(10, ${textOf(p99('operation', `http_server_request_duration_bucket{${served}}`), time)})`,
      's',
    ],
    ['Requests in flight', 'sum by (instance) (requests_in_flight)', 'short'],
    ['Time waited for a connection, 99th percentile', p99('database, pool', 'db_pool_wait_seconds_bucket'), 's'],
    ['Open event streams', 'sum(open_streams)', 'short'],
    ['CPU by process', (time) => `rate(process_cpu_seconds_total[${time.duration(5 * minutes)}])`, 'short'],
    ['Memory by process', 'process_resident_memory_bytes', 'bytes'],
    ['Event loop delay, 99th percentile', 'max by (instance) (nodejs_eventloop_delay_p99)', 's'],
  ],
  background: [
    ['Jobs that could run', 'max by (cell, queue, task) (jobs{state="ready"}) > 0', 'short'],
    ['Webhook attempts by outcome', perSecond('outcome', 'webhook_attempts_total'), 'reqps'],
    ['From event to webhook, 99th percentile', p99('cell', 'webhook_delay_seconds_bucket', hours), 's'],
    ['Webhook endpoints by state', 'max by (cell, state) (webhook_endpoints)', 'short'],
  ],
  chain: [
    ['Paid orders without tokens', 'max by (cell, chain, state) (orders_unminted)', 'short'],
    ['From paid to minted, 99th percentile', p99('chain', 'order_paid_to_minted_seconds_bucket', hours), 's'],
    ['Seconds behind the chain', 'max by (cell, chain) (indexer_lag_seconds)', 's'],
    ['Calls of nodes that fail', perSecond('chain, method', 'rpc_errors_total'), 'reqps'],
    ['Balance of the signer with the least', 'min by (cell, chain) (signer_balance_min_ether)', 'short'],
  ],
  business: [
    ['Statements that wait for a second person', 'max by (cell) (bank_statements_waiting)', 'short'],
    ['Requests that wait for a second person', 'max by (cell) (approvals_waiting)', 'short'],
  ],
}

function perSecond(labels: string, series: string, window = 5 * minutes): Query {
  return (time) => `sum by (${labels}) (rate(${series}[${time.duration(window)}]))`
}

/** Returns the 99th percentile of a histogram. */
function p99(labels: string, buckets: string, window = 5 * minutes): Query {
  return (time) => `histogram_quantile(0.99, ${textOf(perSecond(`${labels}, le`, buckets, window), time)})`
}

const budgets: readonly Panel[] = objectives.map(({ id, dashboard, description, target }) => ({
  title: `${description}: failures in an hour (objective ${Number((target * 100).toPrecision(4))} %)`,
  dashboard,
  value: `${ratioName(hours)}{slo="${id}"}`,
  unit: 'percentunit',
}))

/** Returns the panel that shows the problem of an alert. */
export function panelOfAlert(name: string): Panel | undefined {
  const alert = alerts.find((one) => one.name === name)
  return alert ? panelOf(alert) : budgets[objectives.findIndex((one) => one.name === name)]
}

function panelOf({ panel, value }: Alert): Panel {
  return { ...panel, value }
}

/** Returns the panels of a dashboard: objectives, then the overview, then those of alerts. */
export function panelsOf(dashboard: DashboardName): Panel[] {
  const own = (panels: readonly Panel[]) => panels.filter((panel) => panel.dashboard === dashboard)
  const rows = overview[dashboard].map(([title, value, unit]): Panel => ({ title, dashboard, value, unit }))
  return [...own(budgets), ...rows, ...own(alerts.map(panelOf))]
}

const titles: Readonly<Record<DashboardName, string>> = {
  service: 'Investor Token: requests and processes',
  background: 'Investor Token: background work',
  chain: 'Investor Token: tokens and chain',
  business: 'Investor Token: money and people',
}

export const dashboardNames = Object.keys(titles) as DashboardName[]

/** Returns a dashboard in the format that Grafana imports, two panels in a row. */
export function grafanaDashboard(name: DashboardName, time = new TimeScale()): Record<string, unknown> {
  return {
    uid: `investor-token-${name}`,
    title: titles[name],
    tags: ['investor-token'],
    schemaVersion: 39,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panelsOf(name).map(({ title, value, unit }, index) => ({
      id: index + 1,
      title,
      type: 'timeseries',
      datasource,
      gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: [{ refId: 'A', datasource, expr: textOf(value, time), legendFormat: '__auto' }],
    })),
  }
}

// oxlint-disable-next-line no-template-curly-in-string -- Grafana replaces it
const datasource = { type: 'prometheus', uid: '${datasource}' }
