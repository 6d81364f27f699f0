import type { Severity } from '../../signals/signal.ts'

/** Something that runs by itself, and the alert that must fire once it has stopped. */
export interface Silence {
  readonly kind: Kind
  /** Name that `background.ts`, `runLoop` or `startProcess` gives it. */
  readonly name: string
  /** Way in which it stops. */
  readonly how: string
  readonly alert: string
  readonly severity: Exclude<Severity, 'watchdog'>
  /** Minutes within which someone must know. */
  readonly minutes: number
  /** Labels that the alert must have. */
  readonly labels: Readonly<Record<string, string>>
  /** Measured values: all is well from the first minute on, and it has stopped from the sample `stopSample` on. */
  readonly series: Readonly<Record<string, string>>
  /** True for one sample every 15 minutes, over hours. By default if it may take more than 150 minutes. */
  readonly isLong?: boolean
  /** Other alerts that page for the same reason, before Alertmanager silences them. */
  readonly alsoPages?: readonly string[]
}

/** The alert that notices a stop, and how soon. */
export type Noticed = Pick<Silence, 'alert' | 'severity' | 'minutes'>

export const pages = (alert: string, minutes: number): Noticed => ({ alert, severity: 'page', minutes })
export const tickets = (alert: string, minutes: number): Noticed => ({ alert, severity: 'ticket', minutes })

type Kind = 'process' | 'loop' | 'inner loop' | 'job' | 'queue' | 'chain' | 'cell' | 'mail' | 'webhook' | 'money'

/** Sample at which it stops. There is one a minute, or one every 15 minutes for what takes longer. */
export const stopSample = 30
const healthy = stopSample - 1
const stopped = 170

/** An age: small, then growing. `{step}` is the time between two samples, in seconds. */
export const grows = `1x${healthy} 0+{step}x${stopped}`
/** A time: now, then the time of the stop. */
export const standsStill = `0+{step}x${healthy} {stop}x${stopped}`
/** A time of a process that was replaced. */
export const succeededUntilStop = `0+{step}x${healthy} stale`
/** A value of two states. */
export const changes = (from: number, to: number) => `${from}x${healthy} ${to}x${stopped}`
/** A series that ends. */
export const ends = `1x${healthy} stale`
/** A counter that stays at 0, then counts one a minute. */
export const counts = `0x${healthy} 1+1x${stopped}`
/** A series that begins at the stop. */
export const begins = (value: number) => `_x${stopSample} ${value}x${stopped}`
/** A value that never changes: all is well. */
export const lasts = (value: number) => `${value}x${stopSample + stopped}`
/** Like `changes`, ten minutes later. */
export const changesLater = (from: number, to: number) => `${from}x${healthy + 10} ${to}x${stopped}`

/** Metrics of an installation that works, with open streams, a request a minute and a single failed one. */
export const quietNight: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['api', 'operator-api', 'worker', 'indexer'].map((name) => [`build_info{process="${name}"}`, lasts(1)]),
  ),
  'cell_requests_total{cell="main",outcome="good"}': '0+1x200',
  'cell_requests_total{cell="main",outcome="slow"}': lasts(0),
  'cell_requests_total{cell="main",outcome="untimed"}': '0+1x200',
  'cell_requests_total{cell="main",outcome="failed"}': changes(0, 1),
  'http_server_request_duration_count{operation="streamEvents",status="200"}': '0+1x200',
  'http_server_request_duration_bucket{operation="streamEvents",status="200",le="0.5"}': lasts(0),
  'http_server_request_duration_count{operation="getOrder",status="500"}': changes(0, 1),
  'http_server_request_duration_count{operation="getOrder",status="200"}': '0+1x200',
  'http_server_request_duration_bucket{operation="getOrder",status="200",le="0.5"}': '0+1x200',
  open_streams: lasts(40),
  'readiness_check{check="directory"}': lasts(1),
  'readiness_check{check="cell main"}': lasts(1),
  'loop_last_success_time_seconds{loop="number-events",cell="main",instance="worker"}': '0+{step}x200',
  'indexer_lag_seconds{cell="main",chain="c"}': lasts(2),
  'chain_op_failures_total{cell="main",chain="c",reason="node"}': lasts(0),
  'event_outbox_oldest_seconds{cell="main"}': lasts(0),
  'webhook_delivery_oldest_seconds{cell="main"}': lasts(0),
  'orders_unminted_oldest_seconds{cell="main",chain="c",state="PAID"}': '50000+{step}x200',
  'orders_unminted_oldest_seconds{cell="main",chain="c",state="MINTING"}': lasts(900),
  'jobs_oldest_seconds{cell="main",queue="default"}': lasts(0),
}
