import type { Config } from './config.ts'
import { contractVersions, type VersionName, versionNames } from './contract-versions.ts'

/** The version for a credential without a default version. */
const standardVersion: VersionName = '2026-07-02'

/** The versions that one environment serves. */
export interface Versions {
  readonly served: readonly VersionName[]
  isServed(name: string): name is VersionName
  /** Returns the headers of a version. Without a name, those before a token has named one; empty if none is served. */
  headersOf(name: VersionName | undefined): Record<string, string>
  readonly standard: VersionName | undefined
}

export function versionsIn({
  environment,
  releasedVersions,
}: Pick<Config, 'environment' | 'releasedVersions'>): Versions {
  const served = environment === 'development' ? versionNames : releasedVersions
  const standard = served.includes(standardVersion) ? standardVersion : undefined
  return {
    served,
    standard,
    isServed: (name): name is VersionName => (served as readonly string[]).includes(name),
    headersOf: (name = standard) => ({
      ...(name ? { 'st-api-version': name } : {}),
      ...(name && contractVersions[name].stage === 'beta' ? { 'st-api-version-beta': 'true' } : {}),
    }),
  }
}
