import { register } from 'node:module'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import type { Resource } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { withAllowedFields } from './trace-fields.ts'

/** Sends spans of requests and queries to a collector. Returns a function that sends the pending ones and ends. */
export function startTracing(endpoint: string, resource: Resource): () => Promise<void> {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const exporter = withAllowedFields(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register()
  registerInstrumentations({
    instrumentations: [
      new FastifyOtelInstrumentation({ registerOnInitialization: true }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  })
  return () => provider.shutdown()
}
