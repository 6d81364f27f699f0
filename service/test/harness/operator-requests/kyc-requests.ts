import { openRules } from '../data/eligibility.ts'
import type { OperatorRequest } from './operator-request.ts'
import { kycProvider, queuedCheck } from './prepared-sales.ts'

const decision: OperatorRequest = { body: () => ({ reason: 'same person' }), prepare: queuedCheck }

/** Valid requests of operations about KYC providers and eligibility, by id. */
export const kycRequests: Readonly<Record<string, OperatorRequest>> = {
  createKycProvider: { body: () => ({ kind: 'standard', name: `k-${crypto.randomUUID().slice(0, 8)}` }) },
  updateKycProvider: { body: () => ({ approvals: 'apply' }), prepare: kycProvider },
  disableKycProvider: { prepare: kycProvider },
  rotateKycProvider: { body: () => ({}), prepare: kycProvider },
  setEligibility: { body: () => ({ ...openRules, refused_countries: ['US'] }) },
  inviteAccounts: { body: ({ accountId }) => ({ account_ids: [accountId] }) },
  withdrawInvitation: {},
  acceptKycCheck: decision,
  dismissKycCheck: decision,
  revealKycCheck: {},
}
