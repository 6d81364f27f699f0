// Weakens guards one at a time: `node scripts/mutate.ts --seed 1 --count 20 --area money` prints them, `--run` tries in
// a copy of the last commit which test notices. A guard is done only if its test fails without it.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { areas, chosenMutations } from './mutations/chosen-mutations.ts'
import type { Mutation } from './mutations/guards.ts'
import { createCopy, type Outcome, tryMutation } from './mutations/tried-mutation.ts'
import { readProject } from './tests/project.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    area: { type: 'string', default: 'any' },
    /** Numbers in the list, separated by commas. */
    only: { type: 'string' },
    run: { type: 'boolean', default: false },
    /** Time limit for the tests of one mutation. */
    seconds: { type: 'string', default: '300' },
    json: { type: 'string' },
  },
})
const root = fileURLToPath(new URL('../', import.meta.url))
const print = (line: string) => process.stdout.write(`${line}\n`)
const area = areas.find((one) => one === values.area)
if (!area) throw new Error(`--area is one of ${areas.join(', ')}`)

const numbered = chosenMutations(root, { area, count: Number(values.count), seed: Number(values.seed) }).map(
  (mutation, index) => ({ number: index + 1, mutation }),
)
const only = values.only?.split(',').map(Number)
const chosen = numbered.filter(({ number }) => only?.includes(number) ?? true)

const results = values.run ? await tryAll() : chosen
if (!values.run) for (const { number, mutation } of chosen) print(described(number, mutation))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)

async function tryAll(): Promise<{ number: number; mutation: Mutation; outcome: Outcome }[]> {
  const isChanged = execFileSync('git', ['status', '--porcelain', 'service'], { cwd: root, encoding: 'utf8' }) !== ''
  if (isChanged) throw new Error('Commit service/ first: mutations are tried in a copy of the last commit.')
  const copy = createCopy(root)
  try {
    const project = await readProject(copy.path)
    const tried: { number: number; mutation: Mutation; outcome: Outcome }[] = []
    for (const { number, mutation } of chosen) {
      print(described(number, mutation))
      const outcome = await tryMutation(project, mutation, Number(values.seconds))
      print(
        `    ${outcome.result}${outcome.run ? ` (${outcome.run})` : ''}${outcome.by ? ` by ${outcome.by}` : ''}, ${outcome.files} files, ${outcome.seconds} s`,
      )
      tried.push({ number, mutation, outcome })
    }
    const count = (result: Outcome['result']) => tried.filter(({ outcome }) => outcome.result === result).length
    print(`${tried.length} mutations, ${count('killed')} killed, ${count('survived')} survived`)
    return tried
  } finally {
    copy.remove()
  }
}

function described(number: number, { file, line, kind, before, after }: Mutation): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  return `${number}. ${file}:${line} ${kind}: ${short(before)} → ${short(after) || '(nothing)'}`
}
