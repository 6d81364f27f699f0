import { context, type Link, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** Returns the current span, in which a job is enqueued, as a W3C `traceparent`; undefined without traces. */
export function currentTraceParent(): string | undefined {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier['traceparent']
}

interface TracedRun {
  readonly job: string
  readonly queue: string
  readonly attempt: number
  readonly traceParent: string | undefined
}

/**
 * Runs a job in a span of a new trace that links to the request or job that enqueued it. Not as its child: a job may
 * run days later, and several changes may cause one run.
 */
export function inJobSpan(run: TracedRun, work: () => Promise<void>): Promise<void> {
  const attributes = { 'job.name': run.job, 'job.queue': run.queue, 'job.attempt': run.attempt }
  const options = { kind: SpanKind.CONSUMER, attributes, links: linksTo(run.traceParent), root: true }
  return trace.getTracer('jobs').startActiveSpan(`job ${run.job}`, options, async (span) => {
    try {
      await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

function linksTo(traceparent: string | undefined): Link[] {
  if (traceparent === undefined) return []
  const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }))
  return linked ? [{ context: linked }] : []
}
