import { errorText } from './error-text.ts'
import { type Html, html } from './html.ts'
import { idempotencyKeyField } from './idempotency-key.ts'
import type { Session } from './sessions.ts'

/** A section with a button for each action that can be simulated. */
export function simulationForms(path: string, note: string, buttons: Readonly<Record<string, string>>): Html {
  return html`
    <section class="development" aria-labelledby="simulate">
      <h2 id="simulate">Development: simulations</h2>
      <p class="note">${note}</p>
      <div class="buttons">
        ${Object.entries(buttons).map(
          ([action, label]) => html`
            <form method="post" action="${path}/simulate">
              ${idempotencyKeyField()}
              <button class="tool" name="action" value="${action}">${label}</button>
            </form>`,
        )}
      </div>
    </section>`
}

/** Shows an error of the work on the next page, if the visitor can do something about it. */
export async function withNotice(session: Session, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const text = errorText(error)
    if (text === undefined) throw error
    session.notice = text
  }
}
