import type { OperatorOperation } from '../../platform/api/declare/operation.ts'
import { getEligibility } from './operator/get-eligibility.ts'
import { inviteAccounts } from './operator/invite-accounts.ts'
import { listInvitedAccounts } from './operator/list-invited-accounts.ts'
import { setEligibility } from './operator/set-eligibility.ts'
import { withdrawInvitation } from './operator/withdraw-invitation.ts'

/** Operations on the rules for who may buy an offering. */
export const eligibilityOperations: readonly OperatorOperation[] = [
  setEligibility, //      POST  /offerings/:offeringId/eligibility
  getEligibility, //      GET   /offerings/:offeringId/eligibility
  inviteAccounts, //      POST  /offerings/:offeringId/invitations
  listInvitedAccounts, // GET   /offerings/:offeringId/invitations
  withdrawInvitation, //  POST  /offerings/:offeringId/invitations/:accountId/withdraw
]
