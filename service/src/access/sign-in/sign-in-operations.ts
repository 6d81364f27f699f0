import type { PublicOperation } from '../../platform/api/declare/operation.ts'
import { getDeviceToken } from '../device-authorizations/operator/get-device-token.ts'
import { startDeviceAuthorization } from '../device-authorizations/operator/start-device-authorization.ts'
import { acceptInvitation } from './operator/accept-invitation.ts'
import { listSignInMethods } from './operator/list-sign-in-methods.ts'
import { openInvitation } from './operator/open-invitation.ts'
import { signInWithPasskey } from './operator/sign-in-with-passkey.ts'
import { signOut } from './operator/sign-out.ts'
import { startInvitationPasskey } from './operator/start-invitation-passkey.ts'
import { startPasskeySignIn } from './operator/start-passkey-sign-in.ts'
import { startProviderSignIn } from './operator/start-provider-sign-in.ts'
import { switchTenant } from './operator/switch-tenant.ts'
import { useEmergencyLink } from './operator/use-emergency-link.ts'

/** Operations that start, end or switch a session, and those by which a device gets a token. */
export const signInOperations: readonly PublicOperation[] = [
  listSignInMethods, //                GET   /sign-in-methods
  startProviderSignIn, //              POST  /sign-in/provider
  startPasskeySignIn, //               POST  /sign-in/passkey/options
  signInWithPasskey, //                POST  /sign-in/passkey
  openInvitation, //                   POST  /invitations/open
  startInvitationPasskey, //           POST  /invitations/passkey/options
  acceptInvitation, //                 POST  /invitations/accept
  useEmergencyLink, //                 POST  /invitations/emergency
  switchTenant, //                     POST  /switch-tenant
  signOut, //                          POST  /sign-out
  startDeviceAuthorization, //         POST  /device-authorizations
  getDeviceToken, //                   POST  /device-authorizations/token
]
