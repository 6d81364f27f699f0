import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../../test/harness/callers/operations.ts'
import { newRefund } from '../../../../test/harness/every-operation/waiting-work.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'
import { createUnassignedPayment } from '../../../../test/harness/money/incoming-payment.ts'
import { deleteNotesAbout } from '../note.sql.ts'

describe('notes', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.operatorApi()
  const tenantId = await installation.createTenant('Notes')
  const author = await installation.createOperator(tenantId, { duties: ['read'] })

  const write = (subject_type: string, subject_id: string, text = 'Canary 4711') =>
    api.callWith(author.token, 'POST', '/notes', { subject_type, subject_id, text })
  const listed = async (subjectId: string) =>
    (await api.callWith(author.token, 'GET', `/notes?subject_id=${subjectId}`)).results

  test('are written about each kind of resource, listed with their author, and stored nowhere in plain', async () => {
    const { id: refundId, orderId } = await newRefund({ installation, api, tenantId })
    const order = await api.call(tenantId, 'GET', `/orders/${orderId}`)
    const paymentId = await createUnassignedPayment(installation, tenantId)
    const subjects = {
      order: orderId,
      account: order.account.id,
      offering: order.offering.id,
      refund: refundId,
      unassigned_payment: paymentId,
    }
    const { name } = (await api.callWith(author.token, 'GET', '/me')).user
    for (const [type, id] of Object.entries(subjects)) {
      const written = await write(type, id)
      assert.deepEqual(await listed(id), [{ ...written, author_name: name }])
    }
    const rows = await installation.rows<{ dump: string }>(`
        select (select string_agg(note::text || encode(text, 'escape'), '') from cell.note)
               || (select string_agg(audit_log::text, '') from base.audit_log) as dump`)
    assert.ok(rows[0]?.dump.includes('note.created'))
    assert.ok(!rows[0]?.dump.includes('Canary'))
  })

  test('404: a resource that does not exist, or is of another type', async () => {
    const paymentId = await createUnassignedPayment(installation, tenantId)
    await assert.rejects(write('order', crypto.randomUUID()), /404/)
    await assert.rejects(write('order', paymentId), /404/)
  })

  test('can be deleted only by their author or with the duty team, and each deletion is audited', async () => {
    const paymentId = await createUnassignedPayment(installation, tenantId)
    const [one, other] = [await write('unassigned_payment', paymentId), await write('unassigned_payment', paymentId)]
    const stranger = await installation.createOperator(tenantId, { duties: ['read', 'money', 'compliance'] })
    const lead = await installation.createOperator(tenantId, { duties: ['read', 'team'] })
    const remove = (who: TestOperator, id: string) => api.callWith(who.token, 'POST', `/notes/${id}/delete`)
    await assert.rejects(remove(stranger, one.id), /403.*team/)
    assert.equal((await listed(paymentId)).length, 2)
    await remove(author, one.id)
    await remove(lead, other.id)
    assert.deepEqual(await listed(paymentId), [])
    await assert.rejects(remove(author, one.id), /404/)
    const rows = await installation.rows(
      `select actor_id from base.audit_log where action = 'note.deleted' order by sequence`,
    )
    assert.deepEqual(rows, [{ actor_id: author.userId }, { actor_id: lead.userId }])
  })

  test('about an erased resource are deleted together', async () => {
    const paymentId = await createUnassignedPayment(installation, tenantId)
    await write('unassigned_payment', paymentId)
    const direct = new DirectOperations(installation, tenantId)
    assert.equal(await direct.write((tx) => deleteNotesAbout(tx, tenantId, [paymentId])), 1)
    assert.deepEqual(await listed(paymentId), [])
  })
})
