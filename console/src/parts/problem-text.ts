import type { TFunction } from 'i18next'
import type { Problem } from '../api/problem.ts'

/** Returns the service's message, which is in English, or the console's own text in the person's language. */
export function problemText({ code, message }: Problem, t: TFunction): string {
  switch (code) {
    case 'unreachable':
      return t('live.noResponse')
    case 'session_ended':
      return t('live.endedShort')
    case 'passkey_missing':
      return t('live.passkeyMissing')
    case 'passkey_not_used':
      return t('live.passkeyNotUsed')
    default:
      return message
  }
}
