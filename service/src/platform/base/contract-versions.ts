interface ContractVersion {
  readonly stage: 'beta' | 'stable'
}

/**
 * Every version of the contract. Development serves all of them; staging and live serve those in RELEASED_VERSIONS. A
 * version keeps its stage: a contract that becomes stable gets a new date.
 */
export const contractVersions = {
  '2026-07-02': { stage: 'beta' },
} as const satisfies Record<string, ContractVersion>

export type VersionName = keyof typeof contractVersions
export const versionNames = Object.keys(contractVersions) as VersionName[]
