import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { Mailbox } from '../../../test/harness/servers/mailbox.ts'
import { until } from '../../../test/harness/wait.ts'
import { operatorUrlOf } from '../../platform/base/config.ts'
import { listEventsForOperator } from '../../records/events/operator/list-events-for-operator.ts'
import { type AlarmType, alarms, alarmTypes } from './alarm.ts'
import { raiseAlarm } from './raise-alarm.ts'

describe('alarms', async () => {
  const mailbox = await Mailbox.open()
  const installation = await TestInstallation.create({ SMTP_URL: mailbox.url })
  after(() => installation.end())
  after(() => mailbox.close())

  const addressOf = async (userId: string): Promise<string> => {
    const rows = await installation.rows('select email from directory.operator_user where id = $1', [userId])
    return rows[0].email
  }

  test('reach everyone who settles the offering by mail, once, and all operators as an event', async () => {
    const tenantId = await installation.createTenant('Alarmed')
    const direct = new DirectOperations(installation, tenantId)
    const [offeringId, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const settler = await installation.createOperator(tenantId, { duties: ['read', 'settlement'] })
    const limited = { duties: ['settlement'] as const }
    const ofOffering = await installation.createOperator(tenantId, { ...limited, offeringIds: [offeringId] })
    await installation.createOperator(tenantId, { ...limited, offeringIds: [other] })
    await installation.createOperator(tenantId, { duties: ['read', 'money'] })
    const raise = (type: AlarmType) => direct.write((tx) => raiseAlarm(tx, tenantId, { type, data: {}, offeringId }))

    for (const type of alarmTypes) await raise(type)
    // Such an alarm waits already, so this one adds an event and no mail.
    await raise('signer.gas_low')
    await assert.rejects(
      direct.write(async (tx) => {
        await raiseAlarm(tx, tenantId, { type: 'chain_op.alarm', data: {}, offeringId: null })
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    assert.deepEqual((await waitingAlarms(installation, tenantId)).toSorted(), alarmTypes.toSorted())

    await installation.startWorker()
    const expected = alarmTypes.length * 2
    await until('the mails have arrived', () => mailbox.mails.length >= expected)
    await until('no mail waits', async () => (await waitingAlarms(installation, tenantId)).length === 0)
    const addresses = [await addressOf(settler.userId), await addressOf(ofOffering.userId)]
    for (const type of alarmTypes) {
      const { subject, page } = alarms[type]
      const mails = mailbox.mails.filter((mail) => mail.subject === subject)
      assert.deepEqual(mails.map(({ to }) => to?.[0]?.address).toSorted(), addresses.toSorted(), type)
      for (const { text } of mails) {
        assert.match(text ?? '', new RegExp(`Offering: +${offeringId}`))
        assert.ok(text?.includes(`${operatorUrlOf(installation.config)}/console/${page}`), type)
      }
    }
    const types = async (): Promise<string[]> => {
      const { results } = await direct.run(listEventsForOperator, { query: { limit: 100 } })
      return results.map(({ type }: { type: string }) => type).toSorted()
    }
    await until('the events have numbers', async () => (await types()).length > alarmTypes.length)
    assert.deepEqual(await types(), [...alarmTypes, 'signer.gas_low'].toSorted())
  })
})
