import { openRules } from '../data/eligibility.ts'
import type { OperatorRequest } from './operator-request.ts'
import { kycProvider, queuedCheck } from './prepared-sales.ts'

const decision: OperatorRequest = { body: () => ({ reason: 'same person' }), prepare: queuedCheck }

/** A valid request of each operation about KYC providers and eligibility, by its id. */
export const kycRequests: Readonly<Record<string, OperatorRequest>> = {
  createKycProvider: { body: () => ({ kind: 'standard', name: `k-${crypto.randomUUID().slice(0, 8)}` }) },
  listKycProviders: {},
  getKycProvider: {},
  updateKycProvider: { body: () => ({ approvals: 'apply' }), prepare: kycProvider },
  disableKycProvider: { prepare: kycProvider },
  rotateKycProvider: { body: () => ({}), prepare: kycProvider },
  setEligibility: { body: () => ({ ...openRules, refused_countries: ['US'] }) },
  getEligibility: {},
  inviteAccounts: { body: ({ accountId }) => ({ account_ids: [accountId] }) },
  listInvitedAccounts: {},
  withdrawInvitation: {},
  listKycChecks: {},
  getKycCheck: {},
  acceptKycCheck: decision,
  dismissKycCheck: decision,
  revealKycCheck: {},
}
