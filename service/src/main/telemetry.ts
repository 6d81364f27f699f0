// Preloaded with --import, because modules that are already loaded cannot be instrumented.
import { metrics } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { processIdentity, resourceAttributesOf } from './process-identity.ts'
import { observeProcess } from './process-metrics.ts'
import { readConfigOrExit } from './start.ts'

const config = readConfigOrExit()
const identity = processIdentity()
const resource = resourceFromAttributes(resourceAttributesOf(identity, config))

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

observeProcess(identity, config.buildCommit)

let flush: () => Promise<void> = async () => {}

/** Sends all pending spans. Call it last during shutdown. */
export function flushTraces(): Promise<void> {
  return flush()
}

// Loaded only if it is used: loading it takes half a second.
if (config.traceEndpoint) {
  const { startTracing } = await import('./tracing.ts')
  flush = startTracing(config.traceEndpoint, resource)
}
registerInstrumentations({ instrumentations: [new RuntimeNodeInstrumentation()] })
