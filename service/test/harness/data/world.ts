import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { benefitingPerson, company } from './bodies.ts'
import { Fixtures } from './fixtures.ts'
import { TransferRows } from './transfer-rows.ts'

/** A tenant with one resource of each kind. The members are named like the path parameters. */
export interface World {
  tenantId: string
  accountId: string
  walletId: string
  offeringId: string
  orderId: string
  transferId: string
  extractId: string
  /** Token with all scopes. */
  token: string
}

export async function createWorld(installation: TestInstallation, api: RunningApi, name: string): Promise<World> {
  const fixtures = new Fixtures(installation)
  const tenantId = await installation.createTenant(name)
  const token = await api.token(await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 }))
  const post = async (path: string, body: unknown): Promise<string> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const response = await api.call('POST', path, { token, body, headers })
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.text}`)
    return response.body.id
  }
  const accountId = await post('/accounts', company)
  await post(`/accounts/${accountId}/benefiting-persons`, benefitingPerson)
  const offeringId = await fixtures.offering(tenantId, { names: { de: 'Hafenanleihe' } })
  const orderId = await post(`/offerings/${offeringId}/orders`, { account_id: accountId, units: '1000000000' })
  const walletId = await fixtures.wallet(tenantId, accountId)
  const holding = { tenantId, accountId, walletId, offeringId }
  await fixtures.balance(holding, '1000000000')
  await fixtures.transaction(holding)
  const { transferId } = await new TransferRows(installation, tenantId).create()
  const extractId = await post(`/accounts/${accountId}/register-extracts`, { offering_id: offeringId, format: 'csv' })
  return { tenantId, accountId, walletId, offeringId, orderId, transferId, extractId, token }
}
