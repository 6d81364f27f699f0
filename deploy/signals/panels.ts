import { objectives } from './objectives.ts'
import { alerts, ratioName } from './rules.ts'
import { type DashboardName, hours, minutes, type Panel, TimeScale } from './signal.ts'

const served = 'operation!="none"'

/** Panels that are worth seeing although no alert is about them. */
const overview: readonly Panel[] = [
  {
    title: 'Requests by status',
    dashboard: 'service',
    expr: (time) =>
      `sum by (status) (rate(http_server_request_duration_count{${served}}[${time.duration(5 * minutes)}]))`,
    unit: 'reqps',
  },
  {
    title: 'Slowest operations, 99th percentile',
    dashboard: 'service',
    expr: (time) =>
      `topk(10, histogram_quantile(0.99, sum by (operation, le) (rate(http_server_request_duration_bucket{${served}}[${time.duration(5 * minutes)}]))))`,
    unit: 's',
  },
  {
    title: 'Requests in flight',
    dashboard: 'service',
    expr: () => 'sum by (instance) (requests_in_flight)',
    unit: 'short',
  },
  {
    title: 'Time waited for a connection, 99th percentile',
    dashboard: 'service',
    expr: (time) =>
      `histogram_quantile(0.99, sum by (database, pool, le) (rate(db_pool_wait_seconds_bucket[${time.duration(5 * minutes)}])))`,
    unit: 's',
  },
  { title: 'Open event streams', dashboard: 'service', expr: () => 'sum(open_streams)', unit: 'short' },
  {
    title: 'CPU by process',
    dashboard: 'service',
    expr: (time) => `rate(process_cpu_seconds_total[${time.duration(5 * minutes)}])`,
    unit: 'short',
  },
  { title: 'Memory by process', dashboard: 'service', expr: () => 'process_resident_memory_bytes', unit: 'bytes' },
  {
    title: 'Event loop delay, 99th percentile',
    dashboard: 'service',
    expr: () => 'max by (instance) (nodejs_eventloop_delay_p99)',
    unit: 's',
  },
  {
    title: 'Jobs that could run',
    dashboard: 'background',
    expr: () => 'max by (cell, queue, task) (jobs{state="ready"}) > 0',
    unit: 'short',
  },
  {
    title: 'Webhook attempts by outcome',
    dashboard: 'background',
    expr: (time) => `sum by (outcome) (rate(webhook_attempts_total[${time.duration(5 * minutes)}]))`,
    unit: 'reqps',
  },
  {
    title: 'From event to webhook, 99th percentile',
    dashboard: 'background',
    expr: (time) =>
      `histogram_quantile(0.99, sum by (cell, le) (rate(webhook_delay_seconds_bucket[${time.duration(hours)}])))`,
    unit: 's',
  },
  {
    title: 'Webhook endpoints by state',
    dashboard: 'background',
    expr: () => 'max by (cell, state) (webhook_endpoints)',
    unit: 'short',
  },
  {
    title: 'Paid orders without tokens',
    dashboard: 'chain',
    expr: () => 'max by (cell, chain, state) (orders_unminted)',
    unit: 'short',
  },
  {
    title: 'From paid to minted, 99th percentile',
    dashboard: 'chain',
    expr: (time) =>
      `histogram_quantile(0.99, sum by (chain, le) (rate(order_paid_to_minted_seconds_bucket[${time.duration(hours)}])))`,
    unit: 's',
  },
  {
    title: 'Seconds behind the chain',
    dashboard: 'chain',
    expr: () => 'max by (cell, chain) (indexer_lag_seconds)',
    unit: 's',
  },
  {
    title: 'Calls of nodes that fail',
    dashboard: 'chain',
    expr: (time) => `sum by (chain, method) (rate(rpc_errors_total[${time.duration(5 * minutes)}]))`,
    unit: 'reqps',
  },
  {
    title: 'Balance of the signer with the least',
    dashboard: 'chain',
    expr: () => 'min by (cell, chain) (signer_balance_min_ether)',
    unit: 'short',
  },
  {
    title: 'Statements that wait for a second person',
    dashboard: 'business',
    expr: () => 'max by (cell) (bank_statements_waiting)',
    unit: 'short',
  },
  {
    title: 'Requests that wait for a second person',
    dashboard: 'business',
    expr: () => 'max by (cell) (approvals_waiting)',
    unit: 'short',
  },
]

const budgets: readonly Panel[] = objectives.map(({ id, dashboard, description, target }) => ({
  title: `${description}: failures in an hour (objective ${Number((target * 100).toPrecision(4))} %)`,
  dashboard,
  expr: () => `${ratioName(hours)}{slo="${id}"}`,
  unit: 'percentunit',
}))

/** Returns the panel that shows the problem of an alert. */
export function panelOfAlert(name: string): Panel | undefined {
  return alerts.find((alert) => alert.name === name)?.panel ?? budgets[objectives.findIndex((one) => one.name === name)]
}

/** Returns the panels of a dashboard: objectives, then the overview, then those of alerts. */
export function panelsOf(dashboard: DashboardName): Panel[] {
  return [...budgets, ...overview, ...alerts.map(({ panel }) => panel)].filter((panel) => panel.dashboard === dashboard)
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
    panels: panelsOf(name).map(({ title, expr, unit }, index) => ({
      id: index + 1,
      title,
      type: 'timeseries',
      datasource,
      gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: [{ refId: 'A', datasource, expr: expr(time), legendFormat: '__auto' }],
    })),
  }
}

// oxlint-disable-next-line no-template-curly-in-string -- Grafana replaces it
const datasource = { type: 'prometheus', uid: '${datasource}' }
