import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addConsoleAccounts } from './console-accounts.ts'
import { addBlockers, addConsoleOrders, addOrderEvents, addRefunds, addSums } from './console-orders.ts'
import { addUnassignedPayments } from './console-payments.ts'
import type { ConsoleBook } from './console-rows.ts'
import type { BenchInstallation } from './installation.ts'
import { addOffering, withoutIndexes } from './orders.ts'

type Sizes = Pick<ConsoleBook, 'orders' | 'accounts' | 'unassigned'>

const businessMs = 5 * 365 * 86_400_000

/** Returns the book in the installation's folder if it has one of these sizes, otherwise a new one. */
export async function consoleBook(
  bench: BenchInstallation,
  sizes: Sizes,
  say: (line: string) => void,
): Promise<ConsoleBook> {
  const file = join(bench.folder, 'book.json')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) {
    const book = JSON.parse(stored) as ConsoleBook
    if (Object.entries(sizes).some(([name, size]) => book[name as keyof Sizes] !== size))
      throw new Error(`${bench.folder} has a book of other sizes: use another folder`)
    return book
  }
  const book = await loadConsoleBook(bench, sizes, say)
  await writeFile(file, JSON.stringify(book))
  return book
}

/**
 * Loads all rows in bulk as the owner, without the indexes that only lists need. Counters, sums, blockers and search
 * terms are those that the service would have written.
 */
async function loadConsoleBook(
  { installation }: BenchInstallation,
  sizes: Sizes,
  say: (line: string) => void,
): Promise<ConsoleBook> {
  const tenantId = await installation.createTenant('Console')
  const offeringId = await addOffering(installation, tenantId)
  const book: ConsoleBook = {
    tenantId,
    offeringId,
    ...sizes,
    startedAtMs: Date.now() - businessMs,
    orderEveryMs: Math.floor(businessMs / sizes.orders),
  }
  const step = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    say(`  ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  const owner = installation.owner.bind(installation)
  // Indexes the terms last: accounts, orders and payments add to them.
  await owner((termOwner) =>
    withoutIndexes(termOwner, 'cell.search_term', { keys: 'drop' }, async () => {
      await step(`${book.accounts} accounts`, () =>
        owner((client) =>
          withoutIndexes(client, 'cell.account', { keys: 'stay' }, () =>
            withoutIndexes(client, 'cell.wallet', { keys: 'stay' }, () =>
              addConsoleAccounts(installation, book, (done) => {
                if (done % 200_000 === 0) say(`    ${done}`)
              }),
            ),
          ),
        ),
      )
      await step(`${book.orders} orders`, () =>
        owner((client) =>
          withoutIndexes(client, 'cell.token_order', { keys: 'stay' }, async () => {
            const startedAt = performance.now()
            await addConsoleOrders(installation, book)
            say(`    inserted after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
          }),
        ),
      )
      await step('refunds', () => owner((client) => addRefunds(client, book)))
      await step('blockers', () => owner((client) => addBlockers(client, book)))
      await step('sums', () => owner((client) => addSums(client, book)))
      await step('events', () => owner((client) => addOrderEvents(client, book)))
      await step(`${book.unassigned} unassigned payments`, () => addUnassignedPayments(installation, book))
      const startedAt = performance.now()
      say(`  terms were added; their indexes are next, at ${startedAt.toFixed(0)} ms`)
    }),
  )
  await step('vacuum', () =>
    owner(async (client) => {
      await client.query('vacuum (freeze, analyze)')
      await client.query('checkpoint')
    }),
  )
  return book
}
