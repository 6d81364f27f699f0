// Preloaded with --import, before anything that it observes: a module that is already loaded cannot be instrumented.
import { register } from 'node:module'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { metrics } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { readConfigOrExit } from './start.ts'

const config = readConfigOrExit()
const resource = resourceFromAttributes({
  'service.name': 'investor-token',
  'deployment.environment.name': config.environment,
})

// Started by hand: the exporter would keep to itself that its port is taken, and there would be no metrics.
const prometheus = new PrometheusExporter({
  host: config.host,
  port: config.metricsPort,
  withoutScopeInfo: true,
  preventServerStart: true,
})
await prometheus.startServer().catch(() => {
  process.stderr.write(`METRICS_PORT ${config.metricsPort} is in use: give each process one of its own.\n`)
  process.exit(1)
})

metrics.setGlobalMeterProvider(
  new MeterProvider({
    resource,
    readers: [prometheus],
  }),
)

let flush: () => Promise<void> = async () => {}

/** Sends what has not been sent yet; the last thing that a process does. */
export function flushTraces(): Promise<void> {
  return flush()
}

if (config.traceEndpoint) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const exporter = new OTLPTraceExporter({ url: `${config.traceEndpoint}/v1/traces` })
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register()
  // Statements are templates with $1, so their text is safe to send; their values are not, and are not sent.
  registerInstrumentations({
    instrumentations: [
      new FastifyOtelInstrumentation({ registerOnInitialization: true }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  })
  flush = () => provider.shutdown()
}
registerInstrumentations({ instrumentations: [new RuntimeNodeInstrumentation()] })
