import { randomUUID } from 'node:crypto'
import { type Html, html } from './html.ts'

/**
 * One intention of a person is one key. It is drawn when a form is shown and travels in it, so a double click, a reload
 * and a second try after a lost connection all carry the same one, and the service does the thing once.
 */
export function intentionField(key: string = randomUUID()): Html {
  return html`<input type="hidden" name="intention" value="${key}">`
}

/** The key of a form that came in, or a new one where somebody has tampered with it. */
export function intentionOf(form: URLSearchParams): string {
  const key = form.get('intention') ?? ''
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : randomUUID()
}
