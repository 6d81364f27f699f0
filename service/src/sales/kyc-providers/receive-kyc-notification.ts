import { type Static, Type } from 'typebox'
import { Named, Uuid } from '../../platform/api/declare/fields.ts'
import { signedOperation } from '../../platform/api/declare/operation.ts'
import { kycProviderErrors } from './kyc-provider.errors.ts'
import { authenticateKycProvider, type SendingKycProvider } from './kyc-provider-type.ts'
import { type KycRecording, recordKycCheck } from './record-kyc-check.ts'
import { readStandardKycNotification } from './standard-kyc-notification.ts'
import { readSumsubNotification } from './sumsub-notification.ts'

/** Allows additional members: they depend on the kind of the provider, which is known only after authentication. */
const KycNotification = Type.Object(
  { type: Type.String({ minLength: 1, maxLength: 200, description: 'The type of the event.' }) },
  { title: 'KycNotification', description: 'The event in the format of the provider.' },
)

/** Outcome of a notification. */
export const KycNotificationOutcome = Type.Enum(
  ['applied', 'queued', 'dismissed', 'outdated', 'unknown_account', 'ignored'] as const,
  {
    description:
      '`applied`: the account has the status. `queued`: it waits for an operator, who has `dismissed` it if ' +
      'it is sent again later. `outdated`: there is a newer decision. `unknown_account`: the tenant has no ' +
      'such account. `ignored`: it reports no result.',
  },
)

const standardExample = {
  type: 'kyc.decided',
  timestamp: '2026-07-02T10:00:05.000Z',
  data: {
    reference: 'C-1001',
    account_id: '019f2245-6100-7000-8000-000000000000',
    outcome: 'approved',
    decided_at: '2026-07-02T10:00:00.000Z',
    valid_until: '2028-07-02T10:00:00.000Z',
    checks: [{ name: 'passport', result: 'ok' }],
  },
}

const sumsubExample = {
  type: 'applicantReviewed',
  applicantId: '5cb744200a975a67ed1798a4',
  externalUserId: '019f2245-6100-7000-8000-000000000000',
  levelName: 'id-and-liveness',
  applicantType: 'individual',
  sandboxMode: true,
  createdAtMs: '2026-07-02 10:00:00.000',
  reviewResult: { reviewAnswer: 'GREEN' },
}

export const receiveKycNotification = signedOperation(
  {
    id: 'receiveKycNotification',
    summary: 'Receive a KYC notification',
    description:
      'For KYC providers, not for integrators. The provider signs the body either as Sumsub does (`X-Payload-Digest` ' +
      'and `X-Payload-Digest-Alg`, with SHA-256 or SHA-512) or, at most five minutes ago, as Standard Webhooks ' +
      'specifies. The account is the `externalUserId` of Sumsub or the `account_id` of others; its `kyc` is decided, ' +
      'or its `kyb` if it is a company. An approval by Sumsub counts if the provider lists its `levelName` for this ' +
      '`applicantType`; otherwise it waits. Depending on the provider, an approval is applied or waits for an ' +
      'operator; a rejection always waits. A notification that is older than the last decision changes nothing, and ' +
      'neither does sending one again. Notifications of other types are accepted and ignored. In live, Sumsub must ' +
      'report real checks (`sandboxMode` is false); elsewhere checks of its sandbox.',
    tag: 'KYC notifications',
    method: 'POST',
    path: '/kyc-notifications/:providerId',
    scopes: 'signature',
    // The reference of the result makes it idempotent.
    idempotency: 'none',
    params: Type.Object({ providerId: Uuid('The KYC provider.') }),
    body: KycNotification,
    bodyExamples: { standard: standardExample, sumsub: sumsubExample },
    success: {
      status: 200,
      body: Named('KycNotificationResult', {
        outcome: KycNotificationOutcome,
      }),
    },
    isExtension: true,
    errors: [kycProviderErrors.kyc_mode_mismatch],
  },
  authenticateKycProvider,
  async ({ body }, { tx, vault, sender, now }) => ({
    outcome: await acceptKycNotification({ tx, vault, now }, sender, body),
  }),
)

/** Handles an authenticated notification. */
export async function acceptKycNotification(
  context: KycRecording,
  sender: SendingKycProvider,
  body: Static<typeof KycNotification>,
): Promise<Static<typeof KycNotificationOutcome>> {
  const { now } = context
  const result =
    sender.kind === 'sumsub'
      ? readSumsubNotification(body, { isLive: sender.isLive, now })
      : readStandardKycNotification(body, { now })
  return result ? recordKycCheck(context, sender, result, body) : 'ignored'
}
