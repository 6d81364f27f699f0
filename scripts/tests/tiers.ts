import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tiers, from the fastest to the most thorough. Each includes those before it. */
export const tiers = ['everyday', 'gate', 'full'] as const
export type Tier = (typeof tiers)[number]

/** The tier of the files of a folder, unless their name states another one. The longest matching folder counts. */
const tierOfFolder: Record<string, Tier> = {
  'cli/src': 'everyday',
  'cli/test': 'everyday',
  'console/src': 'everyday',
  'console/test': 'everyday',
  'contracts/test': 'gate',
  'deploy/test': 'full',
  'examples/storefront': 'everyday',
  scripts: 'everyday',
  'sdk/test': 'everyday',
  'service/src': 'everyday',
  'service/src/tokens': 'gate',
  'service/test': 'gate',
}

/**
 * Returns the tier of a file. `x.gate.test.ts` and `x.full.test.ts` have the tier of their name. Undefined if neither
 * the name nor the folder has a tier; a test then fails.
 */
export function tierOf(file: string): Tier | undefined {
  const named = /\.(everyday|gate|full)\.test\.tsx?$/.exec(file)
  if (named) return named[1] as Tier
  const folders = Object.keys(tierOfFolder).filter((folder) => file.startsWith(`${folder}/`))
  const [longest] = folders.toSorted((one, other) => other.length - one.length)
  return longest === undefined ? undefined : tierOfFolder[longest]
}

/** Returns all test files, relative to the root of the project. */
export function testFiles(): string[] {
  const pattern = '{cli,console,contracts,deploy,examples,scripts,sdk,service}/**/*.test.{ts,tsx}'
  return globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' }).toSorted()
}

/** Returns true if a run of the tier includes the file. */
export function isIn(tier: Tier, file: string): boolean {
  const own = tierOf(file)
  return own !== undefined && tiers.indexOf(own) <= tiers.indexOf(tier)
}

/** Returns true if `.ci/deploy` runs the file, because it needs its tools and image; alone, it skips some tests. */
export const isPrepared = (file: string) => file.startsWith('deploy/')
