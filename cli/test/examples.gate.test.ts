import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { until } from '../../service/test/harness/wait.ts'
import { examplesOf } from '../src/commands/leaf.ts'
import { createProgram } from '../src/program.ts'
import type { Ended } from './harness/cli.ts'
import { CliWorld } from './harness/world.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Commands in the README's code blocks: `$ investor-token …` in a transcript, `investor-token …` elsewhere. */
const inReadme = [...readme.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```/gm)]
  .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
  .flatMap((line) => /^(?:\$ )?investor-token (.*)/.exec(line)?.[1] ?? [])

createProgram()
const inHelp = [...examplesOf.values()].flat()

// These commands run until they are interrupted.
const isEndless = (example: string) => /^(listen|events tail)\b|--follow/.test(example)

describe('examples', async () => {
  const world = await CliWorld.create()
  after(() => world.end())
  await world.createAccounts()

  test('every command has examples', () => {
    for (const [command, examples] of examplesOf) assert.ok(examples.length > 0, command.name())
    assert.ok(inReadme.length > 20 && inHelp.length > 40)
  })

  // The README lists the examples in order: login comes first.
  const all = [...new Set([...inReadme, ...inHelp])]
  for (const example of all)
    test(`investor-token ${example}`, async () => {
      // An earlier example expires the challenges of all wallets.
      if (/\$(SIGNED|PENDING)_WALLET/.test(example)) await world.createPendingWallets()
      // Most actions are possible only once per order and transfer, so each example needs a new one.
      const variables = {
        ...world.variables,
        ...(example.includes('$ORDER') && { ORDER: await world.newOrder() }),
        ...(example.includes('$TRANSFER') && { TRANSFER: await world.newTransfer() }),
      }
      // Otherwise the reorg would revert the transaction of the previous example.
      if (example.startsWith('simulate reorg')) await world.waitForBlocks(2)
      if (example.startsWith('logout')) await world.cli.run('login --from .dev/credentials.json --profile staging')
      if (isEndless(example)) {
        const running = world.cli.start(example, variables)
        running.child.stdin?.end()
        await until('the command prints something', () => running.stdout + running.stderr !== '')
        assert.equal((await running.interrupt()).code, 130, running.stderr)
        return
      }
      const { code, stderr } = await endOf(example, variables)
      assert.equal(code, 0, stderr)
    })

  /** Starts a process only if the example needs a shell. */
  function endOf(example: string, variables: Record<string, string>): Promise<Ended> {
    if (!/[|;>]/.test(example)) return world.cli.run(example, variables)
    const running = world.cli.shell(`investor-token ${example}`, variables)
    running.child.stdin?.end()
    return running.ended
  }
})
