import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'

/** Attributes that may leave the process. URLs contain ids and searches, and error messages parts of requests. */
const allowed: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'fastify.root',
  'fastify.type',
  'hook.name',
  'db.system.name',
  'db.namespace',
  'db.operation.name',
  // Statements contain placeholders such as $1, never their values.
  'db.query.text',
  'server.address',
  'server.port',
  'job.name',
  'job.queue',
  'job.attempt',
  // Name of a class, or a PostgreSQL error code.
  'error.type',
])

/** Exports spans with allowed attributes only, without events and without the text of their status. */
export function withAllowedFields(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(withoutOtherFields), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function withoutOtherFields(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => allowed.has(name)))
  const links = span.links.map(({ context }) => ({ context }))
  const changed: Partial<ReadableSpan> = { attributes, events: [], links, status: { code: span.status.code } }
  // The getters and methods of a span are not its own properties, so it cannot be copied.
  return Object.assign(Object.create(span) as ReadableSpan, changed)
}
