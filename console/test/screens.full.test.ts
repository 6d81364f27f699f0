import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { duties } from '../../service/src/platform/api/declare/duties.ts'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { testSize } from '../../service/test/harness/test-size.ts'
import { matchesSnapshot } from './harness/aria-snapshot.ts'
import { dutiesOfActions, goTo } from './harness/console-actions.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'
import { layoutFaults } from './harness/layout-faults.ts'
import { matchesPicture, whyNotComparable } from './harness/picture.ts'
import { screensOf } from './harness/screens.ts'

/** Folder for screenshots of each screen. Without it, the test takes none. */
const shots = process.env['CONSOLE_SHOTS']

/** Widths besides a small laptop's: a phone and a large monitor, only with TEST_LONG=true. */
const otherWidths = testSize({ short: [], long: [390, 2560] })
/** Languages whose words are longer than English ones. */
const otherLanguages = testSize({ short: [], long: ['de'] })

/**
 * Returns five sets, with each duty in two of them and no two duties in the same two. For each pair of duties, one set
 * contains one without the other, and so reveals an action that asks for a wrong duty. One set per duty would take
 * twice as long.
 */
function separatingSets<Item>(items: readonly Item[]): Item[][] {
  const pairs = [0, 1, 2, 3, 4].flatMap((one) =>
    [0, 1, 2, 3, 4].filter((other) => other > one).map((other) => [one, other]),
  )
  assert.ok(items.length <= pairs.length)
  return [0, 1, 2, 3, 4].map((set) => items.filter((_, index) => pairs[index]?.includes(set)))
}

describe('every screen', inBrowser, () => {
  let world: ConsoleWorld
  let ada: ConsolePerson

  before(async () => {
    world = await ConsoleWorld.start()
    ada = await world.person('Ada Lovelace')
    if (shots) mkdirSync(shots, { recursive: true })
  })
  after(() => world?.end())

  /** Duty that the operation behind each action needs, by screen. */
  const dutyOfAction = new Map<string, string>()

  /** Opens a screen and waits for its data. */
  async function open(name: string): Promise<void> {
    const [address, text] = screensOf(world.ids)[name] ?? ['', '']
    await ada.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await ada.page.goto(`/console${address}`)
    // Looks outside the navigation, which is hidden in a narrow window.
    await ada.page.locator('main').getByText(text).first().waitFor()
    await ada.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  }

  /** Compares the content with the snapshot in both schemes. Returns findings of axe, layout faults and complaints. */
  async function inspect(name: string): Promise<object> {
    await matchesSnapshot(ada.page, 'main', name)
    const light = await ada.accessibilityFindings()
    await ada.page.emulateMedia({ colorScheme: 'dark' })
    if (shots) await ada.page.screenshot({ path: `${shots}/${name}-dark.png` })
    // Only colours differ between the schemes.
    const dark = await ada.accessibilityFindings(['color-contrast', 'target-size'])
    await matchesSnapshot(ada.page, 'main', name)
    return { light, dark, layout: await layoutFaults(ada.page), complaints: ada.complaints.splice(0) }
  }
  const nothing = { light: [], dark: [], layout: [], complaints: [] }

  test('the frame around every screen is the committed one', async () => {
    await open('work')
    await matchesSnapshot(ada.page, '.app-header', 'header')
    await matchesSnapshot(ada.page, '.app-navigation', 'navigation')
  })

  for (const name of Object.keys(screensOf({}))) {
    test(`${name}: shows the committed content, without findings of axe, policy violations or errors`, async () => {
      await open(name)
      if (shots) await ada.page.screenshot({ path: `${shots}/${name}-light.png` })
      assert.deepEqual(await inspect(name), nothing)
      for (const [action, duty] of await dutiesOfActions(ada.page)) dutyOfAction.set(`${name} ${action}`, duty)
      // The browser complains about each intercepted response.
      ada.complaints.splice(0)
    })
  }

  for (const width of otherWidths) {
    test(`at ${width} px every screen has the same content, no page scrolls sideways, axe finds nothing`, async () => {
      await ada.page.setViewportSize({ width, height: 800 })
      const found: Record<string, object> = {}
      for (const name of Object.keys(screensOf({}))) {
        await open(name)
        found[name] = await inspect(name)
      }
      await ada.page.setViewportSize({ width: 1366, height: 800 })
      assert.deepEqual(found, Object.fromEntries(Object.keys(screensOf({})).map((name) => [name, nothing])))
    })
  }

  for (const name of testSize({ short: [], long: Object.keys(screensOf({})) })) {
    test(`${name}: looks like the committed pictures in both schemes`, async (context) => {
      const reason = await whyNotComparable(ada.page)
      if (reason !== undefined) return context.skip(reason)
      await open(name)
      await matchesPicture(ada.page, `${name}-light`)
      await ada.page.emulateMedia({ colorScheme: 'dark' })
      await matchesPicture(ada.page, `${name}-dark`)
    })
  }

  for (const language of otherLanguages) {
    test(`in the language ${language} no state, time or button is cut`, async () => {
      await ada.page.evaluate(`localStorage.setItem('console.language', '${language}')`)
      const found: Record<string, string[]> = {}
      for (const [name, [address]] of Object.entries(screensOf(world.ids))) {
        await ada.page.goto(`/console${address}`)
        await ada.page.locator('main h1').waitFor()
        await ada.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        // Parts of a screen load later.
        await ada.page.waitForTimeout(500)
        const faults = await layoutFaults(ada.page)
        if (faults.length > 0) found[name] = faults
      }
      await ada.page.evaluate("localStorage.removeItem('console.language')")
      assert.deepEqual(found, {})
    })
  }

  test('on a phone the navigation opens, leads to a screen and closes', async () => {
    await ada.page.setViewportSize({ width: 390, height: 800 })
    await open('work')
    const orders = ada.page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Orders' })
    await orders.waitFor({ state: 'hidden' })
    await ada.page.getByRole('button', { name: 'Navigation' }).click()
    await orders.click()
    await ada.page.getByRole('heading', { name: 'Orders' }).waitFor()
    await orders.waitFor({ state: 'hidden' })
    await ada.page.setViewportSize({ width: 1366, height: 800 })
  })

  test('no duty shows an action or loads a screen that the service would reject', async () => {
    assert.ok(dutyOfAction.size > 25, `only ${dutyOfAction.size} actions were found`)
    const grace = await world.person('Grace Hopper', ['read'])
    const userId = await grace.page.evaluate(async () => {
      const response = await fetch('/operator/me', { headers: { 'X-Console': '1' } })
      return ((await response.json()) as { user: { id: string } }).user.id
    })
    const rejected: string[] = []
    grace.page.on('response', (response) => {
      if (response.status() === 403) rejected.push(response.url())
    })
    const withActions = Object.entries(screensOf(world.ids)).filter(([name]) =>
      [...dutyOfAction.keys()].some((key) => key.startsWith(`${name} `)),
    )
    for (const granted of separatingSets(duties.filter((duty) => duty !== 'read'))) {
      await world.signIn.sql(`delete from directory.operator_duty where user_id = $1 and duty <> 'read'`, [userId])
      await world.signIn.sql(
        `insert into directory.operator_duty (tenant_id, user_id, duty) select $1, $2, unnest($3::text[])`,
        [world.ids.tenantId, userId, granted],
      )
      await grace.page.goto('/console')
      await grace.page.getByRole('heading', { name: 'Work' }).waitFor()
      for (const [name, [address, text]] of withActions) {
        await goTo(grace.page, `/console${address}`, text)
        // Reads all in one call, because a live screen can replace a row meanwhile.
        const shown = await grace.page
          .locator('main [data-actions]')
          .evaluateAll((found: { getAttribute(name: string): string | null }[]) =>
            found.map((one) => one.getAttribute('data-actions')),
          )
        for (const action of new Set(shown.flatMap((ids) => ids?.split(' ') ?? []))) {
          const needed = dutyOfAction.get(`${name} ${action}`) ?? 'read'
          const isPermitted = needed === 'read' || granted.some((duty) => duty === needed)
          assert.ok(isPermitted, `${name} shows ${action}, which needs ${needed}, to ${granted.join()}`)
        }
      }
    }
    assert.deepEqual(rejected, [])
  })
})
