import { type Attributes, metrics } from '@opentelemetry/api'

/** A metric as listed in docs/operations/metrics.md. */
export interface DeclaredMetric {
  /** Name that Prometheus uses. */
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  readonly labels: readonly string[]
}

type Labels<Label extends string> = Readonly<Record<Label, string>>

interface Declaration<Label extends string> {
  readonly description: string
  /** Never a tenant, a person or an id: each combination of values is a time series. */
  readonly labels?: readonly Label[]
}

const declared: DeclaredMetric[] = []

/** Returns all metrics of the loaded files. */
export function declaredMetrics(): readonly DeclaredMetric[] {
  return declared
}

/**
 * Declares a counter of events. Add 0 for every combination of labels when the process starts: Prometheus computes an
 * increase from two values, so a counter that begins with the first event hides it. Without labels this happens here.
 */
export function counter<const Label extends string = never>(
  name: string,
  { description, labels = [] }: Declaration<Label>,
): { add(value: number, labels: Labels<Label>): void } {
  const created = meter().createCounter(name, { description })
  declared.push({ name: `${name}_total`, type: 'counter', description, labels })
  if (labels.length === 0) created.add(0)
  return created as { add(value: number, labels: Attributes): void }
}

/** Declares a value that the code sets when it changes. */
export function gauge<const Label extends string = never>(
  name: string,
  { description, labels = [] }: Declaration<Label>,
): { record(value: number, labels: Labels<Label>): void } {
  declared.push({ name, type: 'gauge', description, labels })
  return meter().createGauge(name, { description }) as { record(value: number, labels: Attributes): void }
}

/**
 * Declares a value that is read whenever Prometheus asks. `read` must be cheap and must not wait for anything. Labels
 * that it no longer observes become NaN, for which no alert's comparison is true.
 */
export function observedGauge<const Label extends string = never>(
  name: string,
  { description, labels = [], read }: Declaration<Label> & { readonly read: (observe: Observe<Label>) => void },
): void {
  declared.push({ name, type: 'gauge', description, labels })
  // The SDK would repeat the last value of labels that are no longer observed, indefinitely.
  let previous = new Map<string, Labels<Label>>()
  meter()
    .createObservableGauge(name, { description })
    .addCallback((result) => {
      const current = new Map<string, Labels<Label>>()
      read((value, own) => {
        current.set(JSON.stringify(own), own)
        result.observe(value, own)
      })
      for (const [key, own] of previous)
        if (!current.has(key)) {
          result.observe(Number.NaN, own)
          current.set(key, own)
        }
      previous = current
    })
}

/** Like observedGauge, for a value that only grows. */
export function observedCounter(
  name: string,
  { description, read }: Omit<Declaration<never>, 'labels'> & { readonly read: () => number },
): void {
  declared.push({ name: `${name}_total`, type: 'counter', description, labels: [] })
  meter()
    .createObservableCounter(name, { description })
    .addCallback((result) => result.observe(read()))
}

export type Observe<Label extends string> = (value: number, labels: Labels<Label>) => void

/** Declares a distribution. `buckets` are upper bounds, in the unit that the name ends with. */
export function histogram<const Label extends string = never>(
  name: string,
  { description, labels = [], buckets }: Declaration<Label> & { readonly buckets: number[] },
): { record(value: number, labels: Labels<Label>): void } {
  declared.push({ name, type: 'histogram', description, labels })
  const advice = { explicitBucketBoundaries: buckets }
  return meter().createHistogram(name, { description, advice }) as { record(value: number, labels: Attributes): void }
}

/** Not stored: a process registers its telemetry provider before it loads any file with metrics. */
function meter() {
  return metrics.getMeter('investor-token')
}
