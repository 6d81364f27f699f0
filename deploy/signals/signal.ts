/** Converts durations in seconds. Rules for a drill divide them, so that hours take seconds. */
export class TimeScale {
  readonly #factor: number

  constructor(factor = 1) {
    this.#factor = factor
  }

  /**
   * Returns a threshold for a value in seconds. `atLeast` is the normal value: the periods of loops and the noise of a
   * busy machine are the same in a drill.
   */
  seconds(value: number, atLeast = 2): number {
    return Math.max(Math.min(value, atLeast), Number((value / this.#factor).toFixed(1)))
  }

  /** Formats a duration for Prometheus. A window must contain a few scrapes, which a drill makes every second. */
  duration(seconds: number): string {
    const scaled = Math.round(seconds / this.#factor)
    if (this.#factor > 1) return `${Math.max(4, scaled)}s`
    for (const [unit, length] of units) if (seconds % length === 0) return `${seconds / length}${unit}`
    return `${seconds}s`
  }
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const

export const minutes = 60
export const hours = 3_600
export const days = 86_400

export type DashboardName = 'service' | 'background' | 'chain' | 'business'

export type Severity = 'page' | 'ticket' | 'watchdog'

/** A PromQL expression, or one whose durations depend on the scale. */
export type Query = string | ((time: TimeScale) => string)

export function textOf(query: Query, time: TimeScale): string {
  return typeof query === 'string' ? query : query(time)
}

/** A graph on a dashboard. */
export interface Panel {
  readonly title: string
  readonly dashboard: DashboardName
  readonly value: Query
  readonly unit: 'short' | 's' | 'percentunit' | 'bytes' | 'reqps'
}

/**
 * A problem that a person has to know about. `page` wakes someone: users notice it now, or money and tokens are at
 * risk. `ticket` waits for the morning; the causes of pages are tickets too, so that one failure pages once. `watchdog`
 * always fires, for a receiver that notices its absence.
 */
export interface Alert {
  readonly name: string
  readonly severity: Severity
  /** Shown by the panel. */
  readonly value: Query
  /** Comparison with which the value fires the alert, such as `> 0`. */
  readonly limit?: Query
  /** Expression that fires the alert where it is not a comparison of the value. */
  readonly condition?: Query
  /** Seconds for which the condition must be true. */
  readonly for: number
  readonly summary: string
  /** Consequences for users and money. */
  readonly meaning: string
  /** Steps to take, in order. */
  readonly steps: readonly string[]
  readonly panel: Omit<Panel, 'value'>
}

/** Returns the expression that fires an alert. */
export function conditionOf({ value, limit, condition }: Alert, time: TimeScale): string {
  if (condition !== undefined) return textOf(condition, time)
  return limit === undefined ? textOf(value, time) : `${textOf(value, time)} ${textOf(limit, time)}`
}

/** A service level objective. Its alerts compare how fast the error budget burns. */
export interface Objective {
  readonly name: string
  readonly id: string
  /** Share that must be good. */
  readonly target: number
  readonly description: string
  /** A series that `failures` needs. */
  readonly recorded?: { readonly name: string; readonly expr: (time: TimeScale) => string }
  /** Returns the share of failures in a window; no value if nothing happened. */
  readonly failures: (window: string) => string
  /** Returns the number of failures in a window, if a few must not count. */
  readonly failed?: (window: string) => string
  readonly summary: string
  readonly meaning: string
  readonly steps: readonly string[]
  readonly dashboard: DashboardName
}
