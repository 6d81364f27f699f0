import { readFileSync } from 'node:fs'
import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'

type Page = BrowserPerson['page']
type Locator = ReturnType<Page['locator']>

interface DeclaredOperation {
  readonly operationId: string
  readonly 'x-duty'?: string
}

const { paths }: { paths: Record<string, Record<string, DeclaredOperation>> } = JSON.parse(
  readFileSync(new URL('../../../service/operator-openapi.json', import.meta.url), 'utf8'),
)

/** Returns the duty that the operation of a request needs. */
function dutyOf(method: string, path: string): string {
  const matching = Object.entries(paths).filter(([template]) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  const duty = matching.map(([, operations]) => operations[method.toLowerCase()]?.['x-duty']).find(Boolean)
  if (duty === undefined) throw new Error(`no operation is ${method} ${path}`)
  return duty
}

const unsentMs = 10_000

/** Starts every action on the screen and intercepts its request. Returns the duty that each needs. */
export async function dutiesOfActions(page: Page): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const sent: { method: string; path: string }[] = []
  await page.route('**/operator/**', async (route) => {
    const request = route.request()
    const path = new URL(request.url()).pathname.replace('/operator', '')
    if (request.method() === 'GET' || path.endsWith('/search')) return route.continue()
    sent.push({ method: request.method(), path })
    const error = { type: 'conflict', code: 'caught', message: 'Caught by the test.' }
    return route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify({ error }) })
  })
  for (const group of await page.locator('main [data-actions]').all()) {
    const ids = (await group.getAttribute('data-actions'))?.split(' ') ?? []
    for (const [index, id] of ids.entries()) {
      if (found.has(id)) continue
      sent.length = 0
      await openAction(page, group, index)
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await fillForm(dialog)
      await dialog.locator('button[type="submit"]').click()
      // A form that rejects the sample texts is not sent, so the duty of its action stays unknown.
      await dialog
        .getByText('Caught by the test.')
        .waitFor({ timeout: unsentMs })
        .catch(() => {})
      for (const { method, path } of sent) found.set(id, dutyOf(method, path))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  }
  await page.unroute('**/operator/**')
  return found
}

async function openAction(page: Page, group: Locator, index: number): Promise<void> {
  if (index === 0) return group.locator('button').first().click()
  await group.getByRole('button', { name: 'More actions' }).click()
  await page
    .getByRole('menuitem')
    .nth(index - 1)
    .click()
}

/** Fills every field, so that the form can be sent. */
async function fillForm(dialog: Locator): Promise<void> {
  for (const field of await dialog.locator('input:not([type="checkbox"], [type="hidden"]), textarea').all()) {
    if (await field.inputValue()) continue
    const texts: Readonly<Record<string, string>> = { 'datetime-local': '2027-01-31T12:00', date: '2027-01-31' }
    await field.fill(texts[(await field.getAttribute('type')) ?? ''] ?? '1')
  }
  for (const field of await dialog.locator('input[type="checkbox"][required]').all()) await field.check()
  for (const field of await dialog.locator('select').all())
    if (!(await field.inputValue())) await field.selectOption({ index: 1 })
}

/** Goes to a screen as a link does, without loading the page again, and waits for its data. */
export async function goTo(page: Page, address: string, text: string): Promise<void> {
  await page.evaluate((to) => {
    const { history } = globalThis as unknown as {
      history: { pushState(state: null, title: string, to: string): void }
    }
    history.pushState(null, '', to)
  }, address)
  await page.locator('main').getByText(text).first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}
