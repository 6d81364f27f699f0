import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { duties } from '../../service/src/platform/api/declare/duties.ts'
import { inBrowser } from '../../service/test/harness/test-browser.ts'
import { dutiesOfActions, goTo } from './harness/console-actions.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'

/** With CONSOLE_SHOTS=folder each screen is photographed too. */
const shots = process.env['CONSOLE_SHOTS']

/** The address of each screen, and a text that is there once its data has arrived. */
const screensOf = (ids: Readonly<Record<string, string>>): Record<string, [address: string, text: string]> => ({
  work: ['', 'Payments without an order'],
  'work list': ['/work/unassigned_payment', 'Waits since'],
  offerings: ['/offerings', 'DRAFT'],
  offering: [`/offerings/${ids['offeringId']}`, 'Terms'],
  'offering-on-sale': [`/offerings/${ids['openOfferingId']}`, 'Orders by status'],
  'offering-draft-new': ['/offerings/new', 'What is sold'],
  'offering-draft-edit': [`/offerings/${ids['offeringId']}/edit`, 'What is sold'],
  register: ['/register', 'Holders now'],
  investors: ['/investors', 'COMPANY'],
  investor: [`/investors/${ids['accountId']}`, 'Timeline'],
  orders: ['/orders', 'NOPAYMENT'],
  order: [`/orders/${ids['orderId']}`, 'Timeline'],
  matching: ['/money/matching', 'Difference'],
  payment: [`/money/payments/${ids['paymentId']}`, 'Timeline'],
  statements: ['/money/statements', 'Drop a camt.053 file'],
  statement: [`/money/statements/${ids['statementId']}`, 'Opening'],
  refunds: ['/money/refunds', 'due'],
  payouts: ['/money/payouts', 'open'],
  payout: [`/money/payouts/${ids['payoutId']}`, 'Transfers'],
  approvals: ['/approvals', 'Proposed by'],
  settlement: ['/settlement', 'SIGNED'],
  chain: ['/chain', 'Tokens'],
  reports: ['/reports', 'Ready'],
  settings: ['/settings', 'Time zone'],
  developers: ['/developers', 'Webhook endpoints'],
  team: ['/team', 'What needs a second person'],
  audit: ['/audit', 'Who'],
})

/**
 * Five sets, each duty in two of them, no two duties in the same two: for each pair of duties, one set has one of them
 * without the other. An action that asks for a wrong duty shows in one of the sets, in half the time of one by one.
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

  /** The duty that the operation behind each action needs, by screen. */
  const dutyOfAction = new Map<string, string>()

  for (const name of Object.keys(screensOf({}))) {
    test(`${name}: nothing that axe finds in both schemes, no violation of the policy, no console error`, async () => {
      const [address, text] = screensOf(world.ids)[name] ?? ['', '']
      await ada.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await ada.page.goto(`/console${address}`)
      await ada.page.getByText(text).first().waitFor()
      await ada.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      const light = await ada.accessibilityFindings()
      if (shots) await ada.page.screenshot({ path: `${shots}/${name}-light.png` })
      await ada.page.emulateMedia({ colorScheme: 'dark' })
      if (shots) await ada.page.screenshot({ path: `${shots}/${name}-dark.png` })
      // Only colours differ between the schemes.
      const dark = await ada.accessibilityFindings(['color-contrast', 'target-size'])
      assert.deepEqual({ light, dark, complaints: ada.complaints.splice(0) }, { light: [], dark: [], complaints: [] })
      for (const [action, duty] of await dutiesOfActions(ada.page)) dutyOfAction.set(`${name} ${action}`, duty)
      // A browser reports each response that was caught.
      ada.complaints.splice(0)
    })
  }

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
        const shown = await grace.page
          .locator('main [data-actions]')
          .all()
          .then((found) => Promise.all(found.map((one) => one.getAttribute('data-actions'))))
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
