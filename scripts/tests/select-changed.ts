import { testsOfChange } from './changed-files.ts'
import { isIn, type Tier } from './tiers.ts'

/** Returns the files of the tier that a change can break, nearest first. Prints the reason for each. */
export async function selectChanged({ tier, base }: { tier: Tier; base: string | undefined }): Promise<string[]> {
  const { everything, tests, left, unread } = await testsOfChange(base)
  if (everything !== undefined) process.stdout.write(`Every test of the tier: ${everything}\n`)
  const selected = tests.filter(({ file }) => isIn(tier, file))
  if (everything === undefined) for (const { file, because } of selected) process.stdout.write(`${file}: ${because}\n`)
  const later = [...left, ...tests.filter(({ file }) => !isIn(tier, file))]
  if (everything === undefined && later.length > 0) process.stdout.write(`Left to the gate: ${later.length} files.\n`)
  for (const file of unread) process.stdout.write(`No test reads ${file}.\n`)
  return selected.map(({ file }) => file)
}
