import assert from 'node:assert/strict'
import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'

type Page = BrowserPerson['page']
type Locator = ReturnType<Page['locator']>

/** Maximum number of presses of Tab to reach a field of a form. */
const tabsMax = 60

/** A person without a mouse. Counts the keys they press and the letters they write. */
export class Keyboard {
  readonly page: Page
  #keys = 0
  #letters = 0

  constructor(page: Page) {
    this.page = page
  }

  async press(...keys: readonly string[]): Promise<void> {
    this.#keys += keys.length
    for (let at = 0; at < keys.length; at += 1) {
      const [key = '', next = ''] = keys.slice(at)
      if (key === 'g' && next !== '') {
        // A sequence, sent without waiting: a busy browser may take longer for the first key than a person may pause.
        await Promise.all([this.page.keyboard.press(key), this.page.keyboard.press(next)])
        at += 1
      } else await this.page.keyboard.press(key)
    }
  }

  async write(text: string): Promise<void> {
    this.#letters += text.length
    await this.page.keyboard.type(text)
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(element: Locator): Promise<void> {
    for (let count = 0; count < tabsMax; count += 1) {
      if (await element.evaluate((one: { matches(selector: string): boolean }) => one.matches(':focus'))) return
      await this.press('Tab')
    }
    throw new Error(`Tab does not lead to ${String(element)}`)
  }

  /** Finds an action of the screen in the palette. */
  async start(action: string): Promise<void> {
    await this.press('Control+k')
    const search = this.page.getByPlaceholder('Page, action, investor or payment reference')
    await search.waitFor()
    await this.write(action)
    await this.page.locator('[data-selected]').filter({ hasText: action }).waitFor()
    await this.press('Enter')
    await search.waitFor({ state: 'detached' })
    await this.page.locator('[role="dialog"]:focus-within').filter({ hasText: action }).waitFor()
  }

  /** Returns the keys and letters used since the last call. */
  taken(): { keys: number; letters: number } {
    const taken = { keys: this.#keys, letters: this.#letters }
    this.#keys = 0
    this.#letters = 0
    return taken
  }
}

/** The number of keys of each task, which a test prints and compares with its maximum. */
export class KeyCounts {
  readonly #rows: string[] = []

  add(task: string, taken: { keys: number; letters: number }, keysMax: number): void {
    this.#rows.push(`${task}: ${taken.keys} keys${taken.letters > 0 ? `, ${taken.letters} letters` : ''}`)
    assert.ok(taken.keys <= keysMax, `${task} took ${taken.keys} keys, at most ${keysMax} are right`)
  }

  get text(): string {
    return this.#rows.join('\n')
  }
}
