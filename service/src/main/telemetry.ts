// Preloaded with --import, because modules that are already loaded cannot be instrumented.
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
import { withAllowedFields } from './trace-fields.ts'

const config = readConfigOrExit()
const resource = resourceFromAttributes({
  'service.name': 'investor-token',
  'deployment.environment.name': config.environment,
})

// Started explicitly: by default the exporter ignores that its port is in use, and there would be no metrics.
const prometheus = new PrometheusExporter({
  host: config.metricsHost,
  port: config.metricsPort,
  withoutScopeInfo: true,
  preventServerStart: true,
})
await prometheus.startServer().catch(() => {
  process.stderr.write(`METRICS_PORT ${config.metricsPort} is in use: set a different one for each process.\n`)
  process.exit(1)
})

metrics.setGlobalMeterProvider(
  new MeterProvider({
    resource,
    readers: [prometheus],
  }),
)

let flush: () => Promise<void> = async () => {}

/** Sends all pending spans. Call it last during shutdown. */
export function flushTraces(): Promise<void> {
  return flush()
}

if (config.traceEndpoint) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const exporter = withAllowedFields(new OTLPTraceExporter({ url: `${config.traceEndpoint}/v1/traces` }))
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register()
  registerInstrumentations({
    instrumentations: [
      new FastifyOtelInstrumentation({ registerOnInitialization: true }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  })
  flush = () => provider.shutdown()
}
registerInstrumentations({ instrumentations: [new RuntimeNodeInstrumentation()] })
