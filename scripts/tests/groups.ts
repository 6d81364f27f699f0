import { seededRandom } from '../../service/test/harness/seeded-random.ts'
import { tierOf } from './tiers.ts'

const filesMax = 12
const secondsMax = 60
const secondsByDefault = 4

/** Files with a separate process, because they measure it or need state that a process has once. */
const ownProcess: Record<string, string> = {
  'service/src/distributions/distribution-size.full.test.ts': 'measures the memory of the process',
  'service/src/platform/base/run-loop.test.ts': 'asks for all loops of the process',
  'service/src/tokens/signers/signers.test.ts': 'a PKCS#11 module is opened once, with one token',
  'service/src/tokens/minting/settlement.full.test.ts': 'a PKCS#11 module is opened once, with one token',
}

/**
 * Divides test files into processes. The files of a folder share one as long as they take a minute together. Files that
 * only a full run includes stop servers, kill processes or measure them, so each gets a process, except pages, which
 * share a browser. Longest first, so that no core waits for a group that began late.
 */
export function groupsOf(files: readonly string[], secondsOf: ReadonlyMap<string, number>): string[][] {
  const seconds = (file: string) => secondsOf.get(file) ?? secondsByDefault
  const groups: string[][] = []
  for (const folder of Map.groupBy(files, folderOf).values()) {
    let group: string[] = []
    for (const file of folder) {
      if (group.length > 0 && (group.length === filesMax || total([...group, file], seconds) > secondsMax)) {
        groups.push(group)
        group = []
      }
      group.push(file)
    }
    groups.push(group)
  }
  return groups.toSorted((one, other) => total(other, seconds) - total(one, seconds))
}

/** Returns the same groups, each with its files in a random order. */
export function inRandomOrder(groups: readonly (readonly string[])[], seed: number): string[][] {
  const random = seededRandom(seed)
  return groups.map((group) =>
    group
      .map((file) => ({ file, at: random() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ file }) => file),
  )
}

function folderOf(file: string): string {
  if (file in ownProcess || (tierOf(file) === 'full' && !file.startsWith('console/'))) return file
  const [top = '', second = '', third = ''] = file.split('/')
  return top === 'service' && second === 'src' ? `${second}/${third}` : `${top}/${second}`
}

function total(files: readonly string[], seconds: (file: string) => number): number {
  return files.reduce((sum, file) => sum + seconds(file), 0)
}
