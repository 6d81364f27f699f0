import { randomUUID } from 'node:crypto'
import { type Html, html } from './html.ts'

/**
 * A hidden input with an idempotency key that is created with the form. A double click, a reload and a retry after a
 * lost connection all send the same key, so the service executes the form only once.
 */
export function idempotencyKeyField(key: string = randomUUID()): Html {
  return html`<input type="hidden" name="idempotency_key" value="${key}">`
}

/** Returns the key of a submitted form, or a new one if the key is malformed. */
export function idempotencyKeyOf(form: URLSearchParams): string {
  const key = form.get('idempotency_key') ?? ''
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : randomUUID()
}
