import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../service/test/harness/seeded-random.ts'
import { guardsIn, type Mutation } from './guards.ts'

export const areas = ['money', 'tokens', 'any'] as const

/** Folders that decide who gets money, who holds units, and whose rows a caller sees. */
const foldersOf: Readonly<Record<(typeof areas)[number], readonly string[]>> = {
  money: ['service/src/money', 'service/src/sales/refunds', 'service/src/distributions'],
  tokens: ['service/src/tokens', 'service/src/platform/postgres'],
  any: ['service/src'],
}

/** Chooses mutations of an area, with equal chances for each file. The same seed and tree give the same mutations. */
export function chosenMutations(
  root: string,
  { area, count, seed }: { area: (typeof areas)[number]; count: number; seed: number },
): readonly Mutation[] {
  const random = seededRandom(seed)
  const all = new Map(mutationsIn(root, area).map(([file, mutations]) => [file, [...mutations]]))
  const chosen: Mutation[] = []
  while (chosen.length < count && all.size > 0) {
    const [file, mutations] = pick([...all], random)
    const [mutation] = mutations.splice(Math.floor(random() * mutations.length), 1)
    if (mutation) chosen.push(mutation)
    if (mutations.length === 0) all.delete(file)
  }
  return chosen
}

function mutationsIn(root: string, area: (typeof areas)[number]): [string, readonly Mutation[]][] {
  const own = foldersOf[area].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  // Tenants are also isolated by predicates everywhere, and by the policies of the tables.
  const isolation = area === 'tokens' ? ['service/src/**/*.sql.ts', 'service/migrations/**/*.sql'] : []
  const isOwn = new Set(own)
  return [...new Set([...own, ...globSync(isolation, { cwd: root })])]
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .map((file): [string, readonly Mutation[]] => {
      const mutations = guardsIn(file, readFileSync(join(root, file), 'utf8'))
      return [file, isOwn.has(file) ? mutations : mutations.filter(({ before }) => before.includes('tenant'))]
    })
    .filter(([, mutations]) => mutations.length > 0)
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}
