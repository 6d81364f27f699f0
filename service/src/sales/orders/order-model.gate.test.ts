import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import type pg from 'pg'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { asOwner } from '../../../test/harness/installation/database.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { compareBlockers } from '../../../test/harness/models/compare-blockers.ts'
import { compareOrders } from '../../../test/harness/models/compare-orders.ts'
import { commands } from '../../../test/harness/models/order-commands.ts'
import { type Model, newModel, type Real, unitsPerToken } from '../../../test/harness/models/order-model.ts'
import { assertSumsAddUp } from '../../../test/harness/models/recounted-sums.ts'
import { createAccount } from '../accounts/create-account.ts'

// About 7 seconds; TEST_LONG=true runs 10,000 commands, which take about 40 seconds.
const commandsMin = process.env['TEST_LONG'] === 'true' ? 10_000 : 1_500
/** Comparing the blockers takes eleven statements. */
const blockersEvery = 5
const seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

describe('orders, payments, refunds and mints in random order', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())

  async function createReal({ needsAcceptance, softCap, unassigned }: Model, client: pg.Client): Promise<Real> {
    const tenantId = await installation.createTenant('T')
    const direct = new DirectOperations(installation, tenantId)
    const fixtures = new Fixtures(installation)
    const accountId = (await direct.run(createAccount, { body: individual })).id
    await fixtures.wallet(tenantId, accountId)
    const offeringId = await fixtures.offering(tenantId, {
      total_units: '2000000000',
      acceptance_required: needsAcceptance,
      soft_cap_units: softCap === 0n ? null : String(softCap * unitsPerToken),
    })
    const check = async (model: Readonly<Model>) => {
      await compareOrders(client, offeringId, model)
      if (model.commandCount % blockersEvery === 0) await compareBlockers(direct)
    }
    return { direct, accountId, offeringId, unassigned, check }
  }

  test(`the database matches a model after each of ${commandsMin} commands, seed ${seed}`, async (context) => {
    let count = 0
    await asOwner(installation.config.databaseUrl, async (client) => {
      for (let batch = 0; count < commandsMin; batch += 1)
        await fc.assert(
          fc.asyncProperty(
            fc.boolean(),
            fc.constantFrom(0n, 0n, 5n, 18n),
            fc.commands([...commands], { maxCommands: 400, size: '+2' }),
            async (needsAcceptance, softCap, list) => {
              const model = newModel(needsAcceptance, softCap)
              const real = await createReal(model, client)
              try {
                await fc.asyncModelRun(() => ({ model, real }), list)
                await assertSumsAddUp(client, real.direct.tenantId)
              } finally {
                count += model.commandCount
              }
            },
          ),
          { seed: seed + batch, numRuns: 5, endOnFailure: false, interruptAfterTimeLimit: 200_000 },
        )
    })
    context.diagnostic(`${count} commands, seed ${seed}`)
    assert.ok(count >= commandsMin)
  })
})
