// What an operator sees in Chromium in a tenant with many orders: the time until the largest part of a screen is painted
// (LCP), and the time from a key or a click to the next frame (Event Timing, as in INP). `--keep FOLDER` uses the rows of
// an earlier run, also those of bench:console. `--slowdown 4` slows the browser down to that of a weak laptop.
import { parseArgs } from 'node:util'
import { type BrowserPerson, TestBrowser } from '../service/test/harness/browser/test-browser.ts'
import { browserScreens, type MeasuredScreen } from './browser-screens.ts'
import { consoleBook } from './console-book.ts'
import { BenchInstallation } from './installation.ts'
import { percentile } from './percentile.ts'
import { printTable } from './table.ts'

const { values: flags } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '10' },
    slowdown: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
})
type Page = BrowserPerson['page']
const orders = Number(flags.orders)
const sizes = { orders, accounts: Math.ceil(orders / 10), unassigned: Math.ceil(orders / 100) }
/** Chromium reports no event below 16 ms: one that it does not report took at most this. */
const shortestEventMs = 16

/** In the page: the last candidate for LCP, and the longest event of each interaction; a key has two, down and up. */
const observe = `
  globalThis.measured = { paint: 0, events: {} }
  const onEach = (options, use) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ buffered: true, ...options })
  onEach({ type: 'largest-contentful-paint' }, ({ startTime }) => { measured.paint = startTime })
  onEach({ type: 'event', durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId > 0) measured.events[interactionId] = Math.max(measured.events[interactionId] ?? 0, duration)
  })`
const observersNotified = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))`

const bench = await BenchInstallation.open({ connections: 8, ...(flags.keep && { keep: flags.keep }) })
const browser = await TestBrowser.launch()
try {
  say(`${orders} orders, ${sizes.accounts} accounts, ${sizes.unassigned} unassigned payments …`)
  const book = await consoleBook(bench, sizes, say)
  await bench.startApi({ callers: 'operators' })
  const { page } = await browser.person('Ada Lovelace', { baseURL: `http://localhost:${bench.port}` })
  page.setDefaultTimeout(120_000)
  await page.setViewportSize({ width: 1366, height: 800 })
  await page.addInitScript(observe)
  await slowDown(page, Number(flags.slowdown))
  const screens = await browserScreens(bench.installation, book)
  const measured = new Map(screens.map(({ name }) => [name, { paints: [] as number[], interactions: [] as number[] }]))
  for (let round = 0; round <= Number(flags.rounds); round += 1) {
    await signInAnew(page, book.tenantId)
    for (const screen of screens) {
      const result = await measure(page, screen)
      // The first round fills the caches of browser, API and database.
      if (round === 0) continue
      measured.get(screen.name)?.paints.push(result.paint)
      measured.get(screen.name)?.interactions.push(...result.interactions)
    }
    if (round > 0) say(`  round ${round} of ${flags.rounds}`)
  }
  report(measured)
} finally {
  await browser.close()
  await bench.close()
}

/** As another person: all rounds of one would exceed their limit of requests in a minute. */
async function signInAnew(page: Page, tenantId: string): Promise<void> {
  const { cookie: value } = await bench.installation.createOperator(tenantId)
  const url = `https://localhost:${bench.port}`
  await page.context().addCookies([{ name: '__Host-session', value, url, secure: true, httpOnly: true }])
}

/** Loads the screen as from a bookmark, then does on it what an operator does. */
async function measure(
  page: Page,
  { address, ready, interactions }: MeasuredScreen,
): Promise<{ paint: number; interactions: number[] }> {
  await page.goto(`/console${address}`)
  await page.locator('main').locator(ready).first().waitFor()
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
  const paint = await largestPaint(page)
  for (const interact of interactions) await interact(page)
  const durations = await eventDurations(page)
  const unreported = Math.max(0, interactions.length - durations.length)
  return { paint, interactions: [...durations, ...Array.from({ length: unreported }, () => shortestEventMs)] }
}

/** Two frames and a moment: observers are notified after the frame that they report. */
async function largestPaint(page: Page): Promise<number> {
  await page.evaluate(observersNotified)
  return page.evaluate<number>('measured.paint')
}

async function eventDurations(page: Page): Promise<number[]> {
  await page.evaluate(observersNotified)
  return page.evaluate<number[]>('Object.values(measured.events)')
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

function report(measured: ReadonlyMap<string, { paints: readonly number[]; interactions: readonly number[] }>): void {
  const p = (values: readonly number[], share: number) => percentile(values, share).toFixed(0)
  printTable(
    ['screen', 'LCP p50 ms', 'LCP p95 ms', 'interaction p50 ms', 'interaction p95 ms', 'interactions'],
    [...measured].map(([name, { paints, interactions }]) => [
      name,
      p(paints, 0.5),
      p(paints, 0.95),
      p(interactions, 0.5),
      p(interactions, 0.95),
      String(interactions.length),
    ]),
  )
  const all = [...measured.values()]
  const paints = all.flatMap((one) => one.paints)
  const interactions = all.flatMap((one) => one.interactions)
  say(`\nconsole: LCP p95 ${p(paints, 0.95)} ms, interaction p95 ${p(interactions, 0.95)} ms`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
