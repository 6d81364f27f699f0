// Takes the screenshots of docs/operators from the examples of a running `npm run dev`: npm run screenshots -w console.
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BrowserPerson, TestBrowser } from '../service/test/harness/browser/test-browser.ts'
import { until } from '../service/test/harness/wait.ts'

/** Address at which `npm run dev` serves the console. */
const origin = process.env['CONSOLE_URL'] ?? 'http://localhost:8081'
const folder = process.env['CONSOLE_SHOTS'] ?? fileURLToPath(new URL('../docs/operators/screenshots/', import.meta.url))
/** True to take every screen in both schemes, for a look at all of them. */
const isAll = process.argv.includes('--all')

interface Examples {
  readonly examples: { readonly offering_ids: Readonly<Record<string, string>>; readonly is_complete: boolean }
}
const { examples }: Examples = JSON.parse(readFileSync(new URL('../.dev/credentials.json', import.meta.url), 'utf8'))
if (!examples.is_complete) throw new Error('the examples are not complete yet: wait a few seconds after npm run dev')
const { bond, mill } = examples.offering_ids

/** Address of each screenshot. */
const documented: Readonly<Record<string, string>> = {
  work: '',
  offerings: '/offerings',
  offering: `/offerings/${bond}`,
  draft: '/offerings/new',
  'soft-cap': `/offerings/${mill}`,
  matching: '/money/matching',
  approvals: '/approvals',
  register: `/register?offering_id=${bond}`,
  chain: '/chain',
  developers: '/developers',
  reports: '/reports',
  audit: '/audit',
  settings: '/settings',
}
const others: Readonly<Record<string, string>> = {
  investors: '/investors',
  orders: '/orders',
  statements: '/money/statements',
  refunds: '/money/refunds',
  payouts: '/money/payouts',
  distributions: '/distributions',
  'offering-distributions': `/offerings/${bond}?tab=distributions`,
  'offering-rules': `/offerings/${bond}?tab=rules`,
  settlement: '/settlement',
  team: '/team',
}

/** Waits for the data and for the parts that load after the page. */
async function hasLoaded(page: BrowserPerson['page']): Promise<void> {
  // Does not wait for an idle network, because the event stream never ends.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await until('everything has loaded', async () => (await page.locator('[aria-busy="true"]').count()) === 0)
}

/** Waits until the worker has minted the examples, which takes up to a minute. */
async function untilMinted(page: BrowserPerson['page']): Promise<void> {
  await until(
    'the first holder is in the register',
    async () => {
      await page.goto(`/console/register?offering_id=${bond}`)
      await hasLoaded(page)
      return (await page.getByRole('link', { name: 'Katherine Johnson' }).count()) > 0
    },
    180_000,
  )
}

mkdirSync(folder, { recursive: true })
/** Console errors and violations of the content security policy. Only here do charts have data. */
const complaints: string[] = []
const browser = await TestBrowser.launch()
try {
  const ada = await browser.person('Ada Lovelace', { baseURL: origin })
  const { page } = ada
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.setViewportSize({ width: 1366, height: 800 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto('/console/sign-in')
  await page.getByRole('button', { name: /demo/i }).click()
  await page.waitForURL((url) => url.origin !== origin)
  await ada.signInAtProvider('Ada Lovelace', { secondFactor: true })
  await page.getByRole('heading', { name: 'Work' }).waitFor()
  // Complaints about the provider's page do not concern the console.
  complaints.length = 0
  await untilMinted(page)
  for (const [name, address] of Object.entries(isAll ? { ...documented, ...others } : documented)) {
    await page.goto(`/console${address}`)
    await hasLoaded(page)
    // Time for charts to draw themselves.
    await page.waitForTimeout(600)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: isAll })
    if (!isAll) continue
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: `${folder}/${name}-dark.png`, fullPage: true })
    await page.emulateMedia({ colorScheme: 'light' })
  }
} finally {
  await browser.close()
}
if (complaints.length > 0) throw new Error(complaints.join('\n'))
