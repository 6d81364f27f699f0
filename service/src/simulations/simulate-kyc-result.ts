import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import { operation, type TenantContext } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { newRowId } from '../platform/base/ids.ts'
import { type Account, AccountPath } from '../sales/accounts/account.schema.ts'
import { getAccount } from '../sales/accounts/get-account.ts'
import { findCheckByReference } from '../sales/kyc-providers/kyc-check.sql.ts'
import type { KycProviderWithSecret } from '../sales/kyc-providers/kyc-provider.schema.ts'
import { type KycProviderRow, kycProviderTable } from '../sales/kyc-providers/kyc-provider.sql.ts'
import { acceptKycCheck } from '../sales/kyc-providers/operator/accept-kyc-check.ts'
import { createKycProvider } from '../sales/kyc-providers/operator/create-kyc-provider.ts'
import { acceptKycNotification } from '../sales/kyc-providers/receive-kyc-notification.ts'
import { perform } from './perform.ts'
import { simulationErrors } from './simulation.errors.ts'
import { simulationHeader } from './simulation-header.ts'
import { KycResultSimulation, SimulatedKycResult } from './simulation-of-holders.schema.ts'
import { findStandardKycProvider } from './simulation-of-holders.sql.ts'

/** Long enough for the approval to be applied before it ends. */
const expiredMs = 1_000

export const simulateKycResult = operation(
  {
    id: 'simulateKycResult',
    summary: 'Report the result of a KYC check like a provider',
    description:
      'A KYC provider of kind `standard` reports a result about the account, which is handled as its signed ' +
      'notification would be. By default an operator accepts a result that waits for one. `expired` is an approval ' +
      'that ends a second later: the account is `APPROVED`, then `PENDING`. If the tenant has no such provider, one ' +
      'with the name `simulated-kyc` is created. Development only.',
    ...simulationHeader,
    path: '/simulations/accounts/:accountId/kyc-result',
    idempotency: 'optional',
    params: AccountPath,
    body: KycResultSimulation,
    success: { status: 200, body: SimulatedKycResult },
    errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
  },
  async ({ params, body: { outcome: reported, provider_id, is_accepted = true } }, context) => {
    const { tenantId, tx, vault, now } = context
    const provider = await requireProvider(context, provider_id)
    const reference = `simulated ${newRowId()}`
    const notification = notificationOf({ reference, ...params, reported, now })
    const sender = { ...provider, tenantId, isLive: false }
    let outcome = await acceptKycNotification({ tx, vault, now }, sender, notification)
    if (outcome === 'unknown_account') throw new ApiError(requestErrors.not_found, 'The account does not exist.')
    if (outcome === 'queued' && is_accepted) {
      await acceptQueued(context, { providerId: provider.id, reference })
      outcome = 'applied'
    }
    const { kyc, kyb } = await perform<Static<typeof Account>>(getAccount, { params }, context)
    return { account_id: params.accountId, provider_id: provider.id, outcome, kyc: kyc.status, kyb: kyb.status }
  },
)

async function requireProvider(context: TenantContext, providerId: string | undefined): Promise<KycProviderRow> {
  const { tenantId, tx } = context
  if (providerId !== undefined) {
    const provider = await kycProviderTable.find(tx, { tenantId, providerId })
    if (!provider) throw new ApiError(requestErrors.not_found, 'The KYC provider does not exist.')
    if (provider.kind !== 'standard' || provider.disabledAt)
      throw new ApiError(
        simulationErrors.simulation_not_possible,
        'provider_id must be of an enabled KYC provider of kind standard. Leave it out to use or create one.',
      )
    return provider
  }
  const id = (await findStandardKycProvider(tx, tenantId)) ?? (await createProvider(context))
  const provider = await kycProviderTable.find(tx, { tenantId, providerId: id })
  if (!provider) throw new Error('the KYC provider was not found')
  return provider
}

async function createProvider(context: TenantContext): Promise<string> {
  const body = { kind: 'standard', name: 'simulated-kyc', approvals: 'apply' }
  const created = await perform<Static<typeof KycProviderWithSecret>>(createKycProvider, { params: {}, body }, context)
  return created.id
}

function notificationOf({
  reference,
  accountId,
  reported,
  now,
}: {
  reference: string
  accountId: string
  reported: Static<typeof KycResultSimulation>['outcome']
  now: Date
}) {
  const at = now.toISOString()
  return {
    type: 'kyc.decided',
    timestamp: at,
    data: {
      reference,
      account_id: accountId,
      outcome: reported === 'rejected' ? 'rejected' : 'approved',
      decided_at: at,
      ...(reported === 'expired' && { valid_until: new Date(now.getTime() + expiredMs).toISOString() }),
    },
  }
}

async function acceptQueued(
  context: TenantContext,
  { providerId, reference }: { providerId: string; reference: string },
): Promise<void> {
  const { tenantId, tx } = context
  const referenceHash = createHash('sha256').update(reference).digest('hex')
  const check = await findCheckByReference(tx, { tenantId, providerId, referenceHash })
  if (!check) throw new Error('the KYC check was not found')
  await perform(acceptKycCheck, { params: { checkId: check.id }, body: { reason: 'Simulated.' } }, context)
}
