import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { parse } from 'node:path'
import type { Config } from '../platform/base/config.ts'

export interface ProcessIdentity {
  /** `api`, `operator-api`, `worker` or `indexer`. */
  readonly name: string
  readonly version: string
}

/** Returns the name of this process, and its release. */
export function processIdentity(mainFile = process.argv[1] ?? ''): ProcessIdentity {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return { name: parse(mainFile).name, version }
}

/**
 * Returns the attributes of the process in traces and metrics, by the conventions of OpenTelemetry. An installation can
 * add to them and overwrite them, for example with the name of its pod.
 */
export function resourceAttributesOf(
  { name, version }: ProcessIdentity,
  { environment, serviceName, resourceAttributes }: Pick<Config, 'environment' | 'serviceName' | 'resourceAttributes'>,
): Record<string, string> {
  return {
    'service.namespace': 'investor-token',
    'service.name': `investor-token-${name}`,
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'deployment.environment.name': environment,
    ...resourceAttributes,
    ...(serviceName ? { 'service.name': serviceName } : {}),
  }
}
