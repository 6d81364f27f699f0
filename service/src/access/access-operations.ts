import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { confirmApproval, confirmDirectoryApproval } from './approvals/operator/confirm-approval.ts'
import { getApproval, getDirectoryApproval } from './approvals/operator/get-approval.ts'
import { listApprovals, listDirectoryApprovals } from './approvals/operator/list-approvals.ts'
import { rejectApproval, rejectDirectoryApproval } from './approvals/operator/reject-approval.ts'
import { withdrawApproval, withdrawDirectoryApproval } from './approvals/operator/withdraw-approval.ts'
import { createCredential } from './credentials/operator/create-credential.ts'
import { disableCredential } from './credentials/operator/disable-credential.ts'
import { getCredential } from './credentials/operator/get-credential.ts'
import { listCredentials } from './credentials/operator/list-credentials.ts'
import { rotateCredential } from './credentials/operator/rotate-credential.ts'
import { updateCredential } from './credentials/operator/update-credential.ts'
import { confirmDeviceAuthorization } from './device-authorizations/operator/confirm-device-authorization.ts'
import { openDeviceAuthorization } from './device-authorizations/operator/open-device-authorization.ts'
import { inviteUser } from './invitations/operator/invite-user.ts'
import { resendInvitation } from './invitations/operator/resend-invitation.ts'
import { getMe } from './operators/operator/get-me.ts'
import { registerPasskey } from './passkeys/operator/register-passkey.ts'
import { removePasskey } from './passkeys/operator/remove-passkey.ts'
import { startPasskeyRegistration } from './passkeys/operator/start-passkey-registration.ts'
import { startStepUp } from './passkeys/operator/start-step-up.ts'
import { stepUp } from './passkeys/operator/step-up.ts'
import { createServiceToken } from './personal-tokens/operator/create-service-token.ts'
import { createToken } from './personal-tokens/operator/create-token.ts'
import { listTokens } from './personal-tokens/operator/list-tokens.ts'
import { revokeToken } from './personal-tokens/operator/revoke-token.ts'
import { getApprovalPolicies } from './policies/operator/get-approval-policies.ts'
import { getDutyPairs } from './policies/operator/get-duty-pairs.ts'
import { setApprovalPolicy } from './policies/operator/set-approval-policy.ts'
import { listCredentialRequests } from './requests/operator/list-credential-requests.ts'
import { listSessions } from './sessions/operator/list-sessions.ts'
import { revokeSession } from './sessions/operator/revoke-session.ts'
import { changeSettings } from './settings/operator/change-settings.ts'
import { getSettings } from './settings/operator/get-settings.ts'
import { createServiceUser } from './users/operator/create-service-user.ts'
import { listUsers } from './users/operator/list-users.ts'
import { removeUser } from './users/operator/remove-user.ts'
import { setDutyPairs } from './users/operator/set-duty-pairs.ts'
import { updateUser } from './users/operator/update-user.ts'

/** Operations on users, their sign-in and duties, and the credentials of integrators. */
export const accessOperations: readonly OperatorOperation[] = [
  createCredential, //                 POST  /credentials
  listCredentials, //                  GET   /credentials
  getCredential, //                    GET   /credentials/:clientId
  updateCredential, //                 PATCH /credentials/:clientId
  disableCredential, //                POST  /credentials/:clientId/disable
  rotateCredential, //                 POST  /credentials/:clientId/rotate
  listCredentialRequests, //           GET   /credential-requests

  inviteUser, //                       POST  /users
  listUsers, //                        GET   /users
  updateUser, //                       PATCH /users/:userId
  resendInvitation, //                 POST  /users/:userId/invitation
  removeUser, //                       POST  /users/:userId/remove
  createServiceUser, //                POST  /service-users
  createServiceToken, //               POST  /service-users/:userId/tokens
  createToken, //                      POST  /users/:userId/tokens
  listTokens, //                       GET   /users/:userId/tokens
  revokeToken, //                      POST  /users/:userId/tokens/:tokenId/revoke

  getMe, //                            GET   /me
  startPasskeyRegistration, //         POST  /passkeys/options
  registerPasskey, //                  POST  /passkeys
  removePasskey, //                    POST  /passkeys/remove
  openDeviceAuthorization, //          POST  /device-authorizations/open
  confirmDeviceAuthorization, //       POST  /device-authorizations/confirm
  startStepUp, //                      POST  /step-up/options
  stepUp, //                           POST  /step-up

  listSessions, //                     GET   /users/:userId/sessions
  revokeSession, //                    POST  /users/:userId/sessions/:sessionId/revoke

  listApprovals, //                    GET   /approvals
  getApproval, //                      GET   /approvals/:approvalId
  confirmApproval, //                  POST  /approvals/:approvalId/confirm
  rejectApproval, //                   POST  /approvals/:approvalId/reject
  withdrawApproval, //                 POST  /approvals/:approvalId/withdraw
  listDirectoryApprovals, //           GET   /directory-approvals
  getDirectoryApproval, //             GET   /directory-approvals/:approvalId
  confirmDirectoryApproval, //         POST  /directory-approvals/:approvalId/confirm
  rejectDirectoryApproval, //          POST  /directory-approvals/:approvalId/reject
  withdrawDirectoryApproval, //        POST  /directory-approvals/:approvalId/withdraw

  getApprovalPolicies, //              GET   /approval-policies
  setApprovalPolicy, //                POST  /approval-policies
  getDutyPairs, //                     GET   /duty-pairs
  setDutyPairs, //                     POST  /duty-pairs
  getSettings, //                      GET   /settings
  changeSettings, //                   PATCH /settings
]
