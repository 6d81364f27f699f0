import type { Environment } from '../../base/settings-reader.ts'

interface Version {
  readonly stage: 'beta' | 'stable'
  readonly environments: readonly Environment[]
}

/** Every version of the contract. To release one in another environment, edit its entry here and nothing else. */
const registry = {
  '2026-07-02': { stage: 'beta', environments: ['development'] },
} as const satisfies Record<string, Version>

export type VersionName = keyof typeof registry
export const versionNames = Object.keys(registry) as VersionName[]

/** The version for a credential without a default version. */
const standardVersion: VersionName = '2026-07-02'

/** The versions that one environment serves. */
export interface Versions {
  readonly served: readonly VersionName[]
  isServed(name: string): name is VersionName
  /** Without a name: the headers before a token has named a version, empty if the environment serves none. */
  headersOf(name: VersionName | undefined): Record<string, string>
  readonly standard: VersionName | undefined
}

export function versionsIn(environment: Environment): Versions {
  const served = versionNames.filter((name) =>
    (registry[name].environments as readonly Environment[]).includes(environment),
  )
  const standard = served.includes(standardVersion) ? standardVersion : undefined
  return {
    served,
    standard,
    isServed: (name): name is VersionName => (served as readonly string[]).includes(name),
    headersOf: (name = standard) => ({
      ...(name ? { 'st-api-version': name } : {}),
      ...(name && registry[name].stage === 'beta' ? { 'st-api-version-beta': 'true' } : {}),
    }),
  }
}
