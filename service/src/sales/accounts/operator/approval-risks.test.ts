import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DirectOperations } from '../../../../test/harness/callers/operations.ts'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { company } from '../../../../test/harness/data/bodies.ts'
import { createTenantAndOperator } from '../../../../test/harness/data/tenant-and-operator.ts'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../../test/harness/installation/running-installation.ts'
import { createQueuedCheck } from '../../../../test/harness/servers/kyc-provider.ts'
import { createAccount } from '../create-account.ts'

describe('an approval by hand', async () => {
  const { installation, operatorApi, tenant, operator } = await createTenantAndOperator(await useSharedApis())
  await installation.useDefaultPolicies(tenant.id)

  const decide = (id: string, decision: object): Promise<ApiResponse> =>
    operator.post(`/accounts/${id}/decision`, { ...decision, reason: 'checked' })
  const passport = Buffer.from('%PDF-1.7 passport')
  const upload = (id: string) => operator.upload(`/accounts/${id}/documents?kind=identity`, passport, 'application/pdf')
  const audited = async (id: string) => {
    const rows = await installation.rows(
      `select after from base.audit_log where subject_id = $1 and action like 'account.ky%_changed' order by at`,
      [id],
    )
    return rows.map(({ after: value }) => value)
  }

  test('without any document needs an acknowledgement, which the audit log keeps', async () => {
    const id = await tenant.account()
    assert.deepEqual((await operator.get(`/accounts/${id}`)).body.approval_risks.kyc, ['document_missing'])
    const rejected = await decide(id, { kyc: 'APPROVED' })
    assertError(rejected, 409, 'acknowledgement_missing')
    assert.match(rejected.body.error.message, /document_missing/)
    assert.equal((await decide(id, { kyc: 'APPROVED', acknowledged: ['document_missing'] })).status, 200)
    assert.deepEqual(await audited(id), [{ status: 'APPROVED', reason: 'checked', acknowledged: ['document_missing'] }])
  })

  test('with a document needs no acknowledgement, and none is recorded', async () => {
    const id = await tenant.account()
    assert.equal((await upload(id)).status, 201)
    assert.deepEqual((await operator.get(`/accounts/${id}`)).body.approval_risks.kyc, [])
    assert.equal((await decide(id, { kyc: 'APPROVED', acknowledged: ['document_missing'] })).status, 200)
    assert.deepEqual(await audited(id), [{ status: 'APPROVED', reason: 'checked' }])
  })

  test('of a company without a beneficial owner needs an acknowledgement', async () => {
    const { id } = await new DirectOperations(installation, tenant.id).run(createAccount, { body: company })
    await upload(id)
    assertError(await decide(id, { kyb: 'APPROVED' }), 409, 'acknowledgement_missing')
    assert.equal((await decide(id, { kyb: 'APPROVED', acknowledged: ['beneficial_owner_missing'] })).status, 200)
  })

  test('against the rejection of a provider needs the acknowledgement and a second person', async () => {
    const id = await tenant.account()
    await upload(id)
    await createQueuedCheck(installation, { tenantId: tenant.id, accountId: id })
    assertError(await decide(id, { kyc: 'APPROVED' }), 409, 'acknowledgement_missing')
    const proposal = await decide(id, { kyc: 'APPROVED', acknowledged: ['provider_rejected'] })
    const second = await installation.createOperator(tenant.id)
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    assert.equal((await operator.get(`/accounts/${id}`)).body.kyc.status, 'APPROVED')
  })
})
