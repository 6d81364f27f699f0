import type { BrowserPerson } from '../service/test/harness/browser/test-browser.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import type { ConsoleBook } from './console-rows.ts'

type Page = BrowserPerson['page']
type Interaction = (page: Page) => Promise<unknown>

/** A screen, what is there once its data has arrived, and what an operator does on it. */
export interface MeasuredScreen {
  readonly name: string
  readonly address: string
  /** A selector within the screen. */
  readonly ready: string
  readonly interactions: readonly Interaction[]
}

const press =
  (key: string): Interaction =>
  (page) =>
    page.keyboard.press(key)
const keys = (...names: readonly string[]): Interaction[] => names.map(press)

/** The list is walked, and rows are selected. */
const inList = keys('j', 'j', 'j', 'j', 'j', 'x', 'j', 'x', 'k', 'x', 'k')
const palette: Interaction[] = [
  press('Control+k'),
  async (page) => {
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('a')
  },
  ...keys('d', 'a'),
  async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  },
]

/** The main screens of the console. */
export async function browserScreens(
  installation: TestInstallation,
  { tenantId, offeringId, orders }: ConsoleBook,
): Promise<MeasuredScreen[]> {
  const { rows } = await installation.owner((owner) =>
    owner.query<{ id: string }>(
      `select id from cell.token_order
       where tenant_id = $1 and offering_id = $2 and status = 'PAID' order by offering_position desc limit 1`,
      [tenantId, offeringId],
    ),
  )
  const [paid] = rows
  if (!paid) throw new Error(`none of the ${orders} orders is paid`)
  return [
    { name: 'work', address: '', ready: 'a[href*="/work/"]', interactions: palette },
    { name: 'orders', address: '/orders', ready: 'tr.row', interactions: inList },
    { name: 'orders, filtered', address: '/orders?status=PAID', ready: 'tr.row', interactions: inList },
    { name: 'order', address: `/orders/${paid.id}`, ready: '[data-actions]', interactions: palette },
    {
      name: 'matching',
      address: '/money/matching',
      ready: '.difference',
      interactions: keys('j', 'j', 'j', 'k', 'j', 's', 's', 'f', '1', '2', '5'),
    },
    { name: 'offerings', address: '/offerings', ready: 'tr.row', interactions: [...keys('j', 'k'), ...palette] },
    { name: 'investors', address: '/investors', ready: 'tr.row', interactions: inList },
  ]
}
