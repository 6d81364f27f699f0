import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpanStatusCode } from '@opentelemetry/api'
import { NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { withAllowedFields } from './trace-fields.ts'

test('a span is exported with allowed attributes only, and without the text of an error', async () => {
  const exported: ReadableSpan[] = []
  const exporter = withAllowedFields({
    export: (spans, done) => {
      exported.push(...spans)
      done({ code: 0 })
    },
    shutdown: async () => {},
  })
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const canary = 'key (email)=(ada@example.com)'
  const attributes = { 'http.route': '/accounts/:id', 'url.path': canary, 'url.query': canary, 'url.full': canary }
  const cause = provider.getTracer('test').startSpan('cause').spanContext()
  const links = [{ context: cause, attributes: { 'url.path': canary } }]
  const options = { attributes: { ...attributes, 'http.target': canary }, links }
  const span = provider.getTracer('test').startSpan('request', options)
  span.recordException(new Error(canary))
  span.setStatus({ code: SpanStatusCode.ERROR, message: canary })
  span.end()
  await provider.shutdown()
  const [sent] = exported
  assert.equal(sent?.name, 'request')
  assert.equal(sent.spanContext().traceId, span.spanContext().traceId)
  assert.ok(sent.ended)
  assert.deepEqual(sent.attributes, { 'http.route': '/accounts/:id' })
  assert.deepEqual([sent.events, sent.status], [[], { code: SpanStatusCode.ERROR }])
  assert.deepEqual(sent.links, [{ context: cause }])
})
