import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'

/** A person who knows the keys does not wait for each screen before pressing the next key. */
describe('keys pressed before their screen has loaded', inBrowser, () => {
  let world: ConsoleWorld
  let ada: ConsolePerson

  before(async () => {
    world = await ConsoleWorld.start()
    ada = await world.person('Ada Lovelace')
  })
  after(() => world?.end())

  /** Delays requests until the test releases them. `requested` resolves at the first one. */
  async function delay(pattern: string): Promise<{ requested: Promise<void>; release: () => void }> {
    const requested = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await ada.page.route(pattern, async (route) => {
      requested.resolve()
      await released.promise
      await route.continue()
    })
    return { requested: requested.promise, release: released.resolve }
  }
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await ada.page.keyboard.press(key)
  }

  test('an action waits for the code of its screen and is never that of the previous screen', async () => {
    const { page } = ada
    await press('g', 'f')
    await page.getByRole('link', { name: 'Draft offering' }).waitFor()
    const screen = await delay('**/statements-screen*.js')
    const chosen = page.waitForEvent('filechooser')
    await press('g', 's')
    await screen.requested
    await press('a')
    assert.equal(new URL(page.url()).pathname, '/console/money/statements')
    screen.release()
    await chosen
  })

  test('the palette opens although its code is still loading', async () => {
    const { page } = ada
    const code = await delay('**/palette*.js')
    await page.reload()
    await code.requested
    await page.getByRole('link', { name: 'Statements' }).waitFor()
    await press('Control+k')
    code.release()
    await page.locator('[role="dialog"]:focus-within').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('keys of a list wait for its rows, one after the other', async () => {
    const { page } = ada
    const rows = await delay('**/operator/orders?*')
    await press('g', 'o')
    await rows.requested
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    await press('j', 'x', 'a')
    rows.release()
    await page.locator('[role="dialog"]:focus-within').getByText('Cancel orders').first().waitFor()
    await press('Escape')
    await page.getByText('1 selected').waitFor()
  })

  test('keys that wait are dropped when the person goes elsewhere', async () => {
    const { page } = ada
    await press('g', 'f')
    await page.getByRole('heading', { name: 'Offerings' }).waitFor()
    const screen = await delay('**/payouts-screen*.js')
    await press('g', 'p')
    await screen.requested
    await press('a', 'g', 'i')
    await page.getByRole('heading', { name: 'Investors' }).waitFor()
    screen.release()
    await press('g', 'p')
    await page.getByRole('button', { name: 'Make payout' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  test('a dialog has the focus when it appears, and returns it when it closes', async () => {
    const { page } = ada
    await press('g', 'o')
    await page.getByRole('row').nth(1).waitFor()
    await press('j', 'x', 'a')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    assert.ok(await dialog.evaluate((one: { matches(selector: string): boolean }) => one.matches(':focus-within')))
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.locator('tr:focus').count(), 1)
  })
})
