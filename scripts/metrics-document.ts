import { globSync, readFileSync } from 'node:fs'
import { processIdentity } from '../service/src/main/process-identity.ts'
import { observeProcess } from '../service/src/main/process-metrics.ts'
import { type DeclaredMetric, declaredMetrics } from '../service/src/platform/base/metric.ts'

const folder = new URL('../service/src/', import.meta.url)

/** Generates docs/operations/metrics.md, a page of the site, from the metrics that the code declares. */
export async function metricsDocument(): Promise<string> {
  const files = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !/^main\/|\.test\.ts$|base\/metric\.ts$/.test(file),
  )
  for (const file of files)
    if (/\/metric\.ts'/.test(readFileSync(new URL(file, folder), 'utf8'))) await import(new URL(file, folder).href)
  observeProcess(processIdentity('docs'))
  const metrics = declaredMetrics().toSorted((one, other) => one.name.localeCompare(other.name))
  return `${introduction}\n\n| metric | type | labels | what it is |\n|---|---|---|---|\n${metrics.map(rowOf).join('\n')}\n`
}

function rowOf({ name, type, labels, description }: DeclaredMetric): string {
  const names = labels.map((label) => `\`${label}\``).join(', ')
  return `| \`${name}\` | ${type} |${names ? ` ${names} ` : ' '}| ${description} |`
}

const introduction = `# Metrics

Every process serves its metrics for Prometheus at \`/metrics\` on \`METRICS_HOST\` and \`METRICS_PORT\`. \`npm run generate -- site\` writes
this page from the code.

- No label names a tenant, a person or an id. \`cell\` and \`database\` name a cell, or \`directory\`.
- Counters begin with 0 when a process starts, so that \`increase()\` sees the first event.
- Every worker measures all cells, every 15 seconds with one statement for the cell and one for its queues. Workers report
  the same values: use \`max by (cell)\`, not \`sum\`.
- A value that is not known any more is NaN: comparisons with it are false.
- \`target_info\` has the name, version and instance of the process; \`OTEL_RESOURCE_ATTRIBUTES\` adds to it.
- Besides these, the instrumentation of Node.js reports \`nodejs_eventloop_*\` and \`v8js_*\`.
- Refused bank statements are \`http_server_request_duration_count{operation="importStatement",status=~"4.."}\`.`
