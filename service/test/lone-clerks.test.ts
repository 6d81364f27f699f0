import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { asOwner } from './harness/installation/database.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { runRandomCommand } from './harness/models/lone-clerks-commands.ts'
import { LoneClerksWorld } from './harness/models/lone-clerks-world.ts'
import { newSeed, seededRandom } from './harness/seeded-random.ts'
import { testSize } from './harness/test-size.ts'

const commandsMin = testSize({ short: 500, long: 10_000 })
/** After these, another tenant follows, so that lists stay short and amounts rare. */
const commandsPerTenant = 250
const seed = Number(process.env['SEED'] ?? newSeed())
/** One cent means that the tenant trusts no single person with any amount, but has a threshold. */
const thresholds = [undefined, 1]

/** States that the run must reach, or the checks prove nothing. A short run may miss the rarer ones. */
const expectedStates = [
  'orders PAID',
  'refunds settled',
  'unassigned open',
  'payouts downloaded',
  'forged entries',
].concat(testSize({ short: [], long: ['refunds returned', 'refunds withdrawn', 'unassigned assigned'] }))

describe('two dishonest clerks, each of whom acts alone among honest people', async () => {
  const installation = await TestInstallation.create()
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  const running = { installation, api, operatorApi }
  after(() => running.installation.end())

  test(`move no money in ${commandsMin} commands, seed ${seed}`, async (t) => {
    const random = seededRandom(seed)
    const kinds = new Set<string>()
    const states: Record<string, number> = {}
    const startedAt = performance.now()
    let count = 0
    await asOwner(running.installation.config.databaseUrl, async (client) => {
      for (let tenant = 0; count < commandsMin; tenant += 1) {
        const bookingFromMinor = thresholds[tenant % thresholds.length]
        const world = await LoneClerksWorld.create(running, client, { random, bookingFromMinor })
        const latest: string[] = []
        for (let index = 0; index < commandsPerTenant && count < commandsMin; index += 1) {
          const name = await runRandomCommand(world)
          latest.push(name)
          kinds.add(name)
          count += 1
          await world.check().catch((error: Error) => {
            error.message += `\nafter ${latest.slice(-12).join(', ')}`
            throw error
          })
        }
        for (const [state, found] of Object.entries(await world.countStates()))
          states[state] = (states[state] ?? 0) + found
      }
    })
    t.diagnostic(JSON.stringify(states))
    for (const state of expectedStates) assert.ok(states[state], `${state} must occur`)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    t.diagnostic(`${count} commands of ${kinds.size} kinds in ${seconds} s, seed ${seed}: no money moved`)
  })
})
