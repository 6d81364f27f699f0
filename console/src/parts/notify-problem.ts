import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { Problem } from '../api/problem.ts'
import { problemText } from './problem-text.ts'

/** Reports an error that happened outside a dialog. */
export function notifyProblem(error: unknown): void {
  const { message } = error instanceof Error ? error : new Error(String(error))
  const text = error instanceof Problem ? problemText(error, i18next.t) : message
  const requestId = error instanceof Problem ? error.requestId : undefined
  notifications.show({
    message: requestId ? `${text} (${requestId})` : text,
    color: 'red',
    withBorder: true,
    autoClose: 12_000,
  })
}
