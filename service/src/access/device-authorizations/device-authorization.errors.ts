import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

/** The first three are from RFC 8628, 3.5. */
export const deviceAuthorizationErrors = declareErrors({
  authorization_pending: {
    status: 400,
    cause: 'No person has confirmed the device yet.',
    remedy: 'Ask again after `interval` seconds, until the code expires.',
  },
  slow_down: {
    status: 400,
    cause: 'The device asks more often than `interval` says.',
    remedy: 'Ask again five seconds later than before.',
  },
  authorization_expired: {
    status: 400,
    cause: 'The device code is unknown, has expired or was used, or the session in which it was confirmed has ended.',
    remedy: 'Start again with POST /device-authorizations.',
  },
  user_code_invalid: {
    status: 404,
    cause: 'No device waits with this code: it is mistyped, has expired or was confirmed.',
    remedy: 'Type the code that the command line shows, or run `investor-token operator login` again.',
  },
})
