import type { TFunction } from 'i18next'
import type { Problem } from '../api/problem.ts'

/** The message of the service, which is in English; what the console itself reports is in the person's language. */
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
