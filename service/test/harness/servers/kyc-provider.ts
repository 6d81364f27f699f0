import { createHmac } from 'node:crypto'
import { addKycProviderToDirectory } from '../../../src/access/providers/add-provider-to-directory.job.ts'
import { createKycProvider } from '../../../src/sales/kyc-providers/operator/create-kyc-provider.ts'
import { recordKycCheck } from '../../../src/sales/kyc-providers/record-kyc-check.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { TestProvider } from './payment-provider.ts'

export const sumsubSecret = 'sumsub-test-secret-0123456789'
const sumsubLevels = { kyc_levels: ['basic-kyc-level'], kyb_levels: ['basic-kyb-level'] }

/** Creates a KYC provider and runs the job that adds it to the directory, so that no worker is needed. */
export async function createTestKycProvider(
  installation: TestInstallation,
  tenantId: string,
  change: object = {},
): Promise<TestProvider> {
  const direct = new DirectOperations(installation, tenantId)
  const levels = 'kind' in change && change.kind === 'sumsub' ? sumsubLevels : {}
  const body = { kind: 'standard', name: `k-${crypto.randomUUID().slice(0, 8)}`, ...levels, ...change }
  const { id, secret } = await direct.run(createKycProvider, { body })
  await addKycProviderToDirectory.run({ tenant_id: tenantId, provider_id: id }, direct.databases)
  return { id, secret: secret ?? sumsubSecret }
}

/** Signs by Sumsub's published scheme, written here independently of the code under test. */
export function sumsubHeaders(body: string, secret: string, algorithm: 'sha1' | 'sha256' | 'sha512' = 'sha256') {
  return {
    'x-payload-digest': createHmac(algorithm, secret).update(body).digest('hex'),
    'x-payload-digest-alg': `HMAC_${algorithm.toUpperCase()}_HEX`,
  }
}

/** Creates a check of a new provider that waits for an operator: by default a rejection. */
export async function createQueuedCheck(
  installation: TestInstallation,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  outcome: 'approved' | 'rejected' = 'rejected',
  details: object = { seen: 'passport' },
): Promise<{ kycProviderId: string; checkId: string }> {
  const { id } = await createTestKycProvider(installation, tenantId)
  const direct = new DirectOperations(installation, tenantId)
  const now = new Date()
  const of = { reference: id, accountId, level: null, applicantType: null }
  const result = { ...of, outcome, isFinal: false, decidedAt: now, validUntil: null }
  const levels = { kycLevels: [], kybLevels: [] }
  const handling = {
    kind: 'standard',
    name: 'k',
    approvals: 'queue',
    validityDays: null,
    isLive: false,
    ...levels,
  } as const
  await direct.write((tx) =>
    recordKycCheck({ tx, vault: direct.vaultOf(tx), now }, { tenantId, id, ...handling }, result, details),
  )
  const rows = await installation.rows('select id from cell.kyc_check where provider_id = $1', [id])
  return { kycProviderId: id, checkId: rows[0].id }
}
