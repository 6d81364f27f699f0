import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../../test/harness/callers/operations.ts'
import { Fixtures } from '../../../../test/harness/data/fixtures.ts'
import { WebhookWorld } from '../../../../test/harness/data/webhook-world.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { createUnassignedPayment } from '../../../../test/harness/money/incoming-payment.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { expireApproval } from '../../../access/approvals/expire-approval.job.ts'
import { dismissUnassignedPayment } from '../../../money/payments/operator/dismiss-unassigned-payment.ts'
import { resumeLockedMinting, stopMinting } from '../../../tokens/reconciliation/reconcile.sql.ts'
import { insertDeliveries } from '../../../webhooks/fan-out.sql.ts'
import { recordEvents } from '../event.sql.ts'
import { listEvents } from '../list-events.ts'
import { recordDirectoryEvent } from '../record-directory-event.job.ts'
import { listEventsForOperator } from './list-events-for-operator.ts'

describe('events for operators', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())

  async function newTenant(policies: 'none' | 'default' = 'none') {
    const tenantId = await installation.createTenant('T', { policies })
    return { tenantId, direct: new DirectOperations(installation, tenantId) }
  }

  /** Returns the types and data of the tenant's events that only operators read, oldest first. */
  async function operatorEvents(tenantId: string): Promise<[string, Record<string, unknown>][]> {
    const rows = await installation.rows(
      `select type, data from cell.event_outbox where tenant_id = $1 and scope = 'operator' order by insertion`,
      [tenantId],
    )
    return rows.map(({ type, data }) => [type, data])
  }

  test('integrators neither list nor receive them, and their pages have as many others', async () => {
    const world = await WebhookWorld.create(installation)
    const { tenantId } = world
    const direct = new DirectOperations(installation, tenantId)
    const endpoint = await world.endpoint('https://example.com/webhooks')
    const hidden = { type: 'chain_op.alarm', data: {} } as const
    const seen = { type: 'order.paid', data: {} } as const
    await direct.write((tx) =>
      recordEvents(tx, tenantId, [
        ...Array.from({ length: 30 }, () => hidden),
        ...Array.from({ length: 10 }, () => seen),
        hidden,
      ]),
    )
    await installation.numberEvents()

    const page = await direct.run(listEvents, { query: { limit: 10 } })
    assert.deepEqual(pluck(page.events, 'sequence'), [31, 32, 33, 34, 35, 36, 37, 38, 39, 40])
    assert.equal(page.next, null)
    await direct.write((tx) => insertDeliveries(tx, tenantId, { after: 0, until: 41 }))
    assert.equal((await world.deliveries(endpoint)).length, 10)

    const newest = await direct.run(listEventsForOperator, { query: { limit: 25 } })
    assert.equal(newest.pagination.count, 41)
    const cursor = new URL(newest.pagination.next).searchParams.get('cursor')
    const rest = await direct.run(listEventsForOperator, { query: { limit: 25, cursor } })
    assert.deepEqual(
      pluck([...newest.results, ...rest.results], 'sequence'),
      Array.from({ length: 41 }, (_, index) => 41 - index),
    )
    assert.equal(rest.pagination.next, null)
    const alarms = await direct.run(listEventsForOperator, { query: { type: 'chain_op.alarm', limit: 100 } })
    assert.deepEqual([alarms.results.length, alarms.pagination.count], [31, 31])
  })

  test('an unassigned payment is reported without its payer, when it arrives and when it is decided', async () => {
    const { tenantId, direct } = await newTenant()
    const paymentId = await createUnassignedPayment(installation, tenantId)
    const body = { reason: 'interest of Ada Lovelace' }
    await direct.run(dismissUnassignedPayment, { params: { paymentId }, body })
    await direct.run(dismissUnassignedPayment, { params: { paymentId }, body })
    const events = await operatorEvents(tenantId)
    assert.deepEqual(
      events.map(([type, data]) => [type, data['unassigned_payment_id']]),
      [
        ['unassigned_payment.opened', paymentId],
        ['unassigned_payment.dismissed', paymentId],
      ],
    )
    assert.doesNotMatch(JSON.stringify(events), /Lovelace|DE\d\d/)
  })

  test('minting is reported as stopped and as resumed once each', async () => {
    const { tenantId, direct } = await newTenant()
    const key = { tenantId, offeringId: await new Fixtures(installation).offering(tenantId) }
    assert.equal(await direct.write((tx) => stopMinting(tx, key, 'a difference')), true)
    assert.equal(await direct.write((tx) => stopMinting(tx, key, 'another one')), false)
    await direct.write((tx) => resumeLockedMinting(tx, key, 'ethereum'))
    const types = (await operatorEvents(tenantId)).map(([type]) => type)
    assert.deepEqual(types, ['offering.minting_stopped', 'offering.minting_resumed'])
  })

  test('an approval in the cell or the directory is reported as proposed, withdrawn and expired, each once', async () => {
    const { tenantId, direct } = await newTenant('default')
    const { token } = await installation.createOperator(tenantId)
    const api = await installation.operatorApi()
    const offeringId = await new Fixtures(installation).offering(tenantId, { status: 'DRAFT' })
    const propose = async () =>
      (await api.callWith(token, 'POST', `/offerings/${offeringId}/open`)).approval_id as string
    const [withdrawn, expired] = [await propose(), await propose()]
    await api.callWith(token, 'POST', `/approvals/${withdrawn}/withdraw`)
    const inDirectory: string = (await api.callWith(token, 'POST', '/duty-pairs', { forbidden: [] })).approval_id

    const jobs = await installation.rows(
      `select identifier, payload, run_at - now() > interval '6 days' as "isLater"
       from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = task_id
       where identifier in ('expire-approval', 'record-directory-event') and payload ->> 'tenant_id' = $1
       order by jobs.id`,
      [tenantId],
    )
    const context = { ...direct.databases, clock: () => new Date() }
    const inAWeek = { ...context, clock: () => new Date(Date.now() + 8 * 86_400_000) }
    // Jobs may run twice.
    for (const { identifier, payload, isLater } of [...jobs, ...jobs]) {
      assert.equal(isLater, identifier === 'expire-approval')
      if (identifier === 'record-directory-event') await recordDirectoryEvent.run(payload, context)
      else {
        await expireApproval.run(payload, context)
        await expireApproval.run(payload, inAWeek)
      }
    }
    const events = (await operatorEvents(tenantId)).map(([type, data]) => `${type} ${String(data['approval_id'])}`)
    assert.deepEqual(
      events.toSorted(),
      [
        `approval.proposed ${withdrawn}`,
        `approval.proposed ${expired}`,
        `approval.withdrawn ${withdrawn}`,
        `approval.proposed ${inDirectory}`,
        `approval.expired ${expired}`,
        `approval.expired ${inDirectory}`,
      ].toSorted(),
    )
  })
})
