import { mailInvitation } from './administrators/mail-invitation.job.ts'
import { alertFailedAuthentication } from './credentials/alert-failed-authentication.job.ts'
import { recordDirectoryEvent } from './events/record-directory-event.job.ts'
import type { Job } from './jobs/job.ts'
import { checkGates } from './orders/check-gates.job.ts'
import { placePaymentProvider } from './payment-providers/place-payment-provider.job.ts'
import { matchStatement } from './statements/match-statement.job.ts'
import { mailEndpointDisabled } from './webhooks/mail-endpoint-disabled.job.ts'

/** All work that is done in the background. */
export const jobs: readonly Job[] = [
  alertFailedAuthentication,
  mailInvitation,
  recordDirectoryEvent,
  checkGates,
  mailEndpointDisabled,
  placePaymentProvider,
  matchStatement,
]
