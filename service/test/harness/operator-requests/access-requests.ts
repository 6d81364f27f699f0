import {
  anyAssertion,
  anyAttestation,
  newPasskey,
  passkeyIn,
  removablePasskey,
  usedPasskey,
  waitingDevice,
} from '../callers/passkey-requests.ts'
import type { OperatorRequest } from './operator-request.ts'
import {
  admin,
  callerThemself,
  credential,
  inDirectory,
  proposedByAnother,
  proposedByCaller,
  savedView,
  savedViewOfCaller,
  serviceUser,
} from './prepared-access.ts'

/** Valid requests of operations, by id. */
export const accessRequests: Readonly<Record<string, OperatorRequest>> = {
  createCredential: { body: () => ({ name: 'Order desk', scopes: ['offering.read'] }) },
  updateCredential: { body: () => ({ name: crypto.randomUUID(), scopes: ['order.read'] }), prepare: credential },
  rotateCredential: { body: () => ({ overlap_hours: 1 }), prepare: credential },
  disableCredential: { prepare: credential },
  listCredentialRequests: { query: ({ clientId }) => [`client_id=${clientId}`] },
  inviteUser: {
    body: () => ({ name: 'Grace', email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }),
  },
  updateUser: { body: () => ({ role: 'viewer' }), prepare: admin },
  removeUser: { prepare: admin },
  resendInvitation: {
    prepare: async (installation, { tenantId }) => ({
      userId: await installation.addUser(tenantId, `${crypto.randomUUID()}@example.com`),
    }),
  },
  createServiceUser: { body: () => ({ name: 'Statement import', duties: [{ duty: 'money' }] }) },
  createServiceToken: { body: () => ({ name: 'Server', expires_in_days: 90 }), prepare: serviceUser },
  createToken: {
    body: () => ({ name: 'My laptop', expires_in_days: 90 }),
    prepare: callerThemself,
    isAllowedForSelf: true,
  },
  revokeToken: { prepare: admin, isAllowedForSelf: true },
  startPasskeyRegistration: {},
  registerPasskey: {
    body: ({ attestation }) => ({ name: 'Key', credential: passkeyIn(attestation, anyAttestation) }),
    prepare: newPasskey,
  },
  removePasskey: { body: ({ passkeyId = 'AAAA' }) => ({ id: passkeyId }), prepare: removablePasskey },
  openDeviceAuthorization: { body: ({ userCode = 'BBBB-BBBB' }) => ({ user_code: userCode }), prepare: waitingDevice },
  confirmDeviceAuthorization: {
    body: ({ userCode = 'BBBB-BBBB' }) => ({ user_code: userCode }),
    prepare: waitingDevice,
  },
  startStepUp: {},
  stepUp: {
    body: ({ assertion }) => ({ credential: passkeyIn(assertion, anyAssertion) }),
    prepare: usedPasskey,
  },
  listSessions: { isAllowedForSelf: true },
  revokeSession: { prepare: admin, isAllowedForSelf: true },
  confirmApproval: { prepare: proposedByAnother },
  rejectApproval: { prepare: proposedByAnother },
  withdrawApproval: { prepare: proposedByCaller },
  getDirectoryApproval: { idsOf: inDirectory },
  confirmDirectoryApproval: { prepare: proposedByAnother, idsOf: inDirectory },
  rejectDirectoryApproval: { prepare: proposedByAnother, idsOf: inDirectory },
  withdrawDirectoryApproval: { prepare: proposedByCaller, idsOf: inDirectory },
  setApprovalPolicy: { body: () => ({ policy: 'manual_payment', second_person: 'never', from_minor: null }) },
  // Uses another site each time, because only a change needs a second person.
  changeSettings: { body: () => ({ wallet_proof_url: `https://${crypto.randomUUID()}.example.com` }) },
  setDutyPairs: { body: () => ({ forbidden: [] }) },
  createSavedView: { body: () => savedView },
  updateSavedView: { body: () => ({ name: crypto.randomUUID() }), prepare: savedViewOfCaller },
  deleteSavedView: { prepare: savedViewOfCaller },
}
