import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { camt053 } from '../../service/test/harness/money/camt053.ts'
import { readRefundFile } from '../../service/test/harness/money/refund-file.ts'
import { until } from '../../service/test/harness/wait.ts'
import { DayWorld } from './harness/day-world.ts'
import { inSteps } from './harness/in-steps.ts'
import { type Keyboard, KeyCounts } from './harness/keyboard.ts'

const iban = 'DE89370400440532013000'

/** A sale from its draft to the refunds. Nothing is mocked, and nobody uses a mouse. */
describe('the day of two people, by keyboard alone', inBrowser, () => {
  const counts = new KeyCounts()
  let day: DayWorld
  let ada: Keyboard
  let grace: Keyboard
  let investors: { accountId: string; address: string }[]
  let offeringId: string
  let orders: { id: string; reference: string }[]

  before(async () => {
    day = await DayWorld.start()
    investors = [
      await day.investor('Mary', 'Somerville'),
      await day.investor('Katherine', 'Johnson'),
      await day.investor('Emmy', 'Noether'),
    ]
    ;[ada, grace] = await Promise.all([day.person('Ada Lovelace', 'release'), day.person('Grace Hopper', 'money')])
  })
  after(async () => {
    process.stdout.write(`${counts.text}\n`)
    await day?.end()
  })

  const step = inSteps()
  /** The dialog that receives the next key. */
  const dialogOf = ({ page }: Keyboard) => page.locator('[role="dialog"]:focus-within')
  const saw = (person: Keyboard, text: string | RegExp) => person.page.getByText(text).first().waitFor()

  /** Lets the other person open the newest approval and confirm it with a passkey. */
  async function graceConfirms(task: string, title: RegExp): Promise<void> {
    await grace.press('g', 'w', 'g', 'a')
    await grace.page.getByRole('article').getByRole('heading', { name: title }).waitFor()
    await grace.page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
    await grace.press('a')
    await dialogOf(grace).getByRole('button', { name: 'Confirm with passkey' }).waitFor()
    await grace.press('Enter')
    await saw(grace, /^Confirmed: /)
    counts.add(`${task}, the second person`, grace.taken(), 6)
  }

  step('draft and open an offering', async () => {
    const { page } = ada
    await ada.press('g', 'f')
    await page.getByRole('link', { name: 'Draft offering' }).waitFor()
    await ada.press('a')
    const steps: [heading: string, fields: Readonly<Record<string, string>>][] = [
      ['What is sold', { Name: 'Lighthouse Bond', Symbol: 'LITE' }],
      ['Price and units', { 'Price per token': '12.50', 'Total units': '1000' }],
      ['Rules of the sale', {}],
      ['Bank account', { 'Account holder': 'Harbour GmbH', Bank: 'Testbank', IBAN: iban, BIC: 'COBADEFFXXX' }],
      ['Token', {}],
    ]
    for (const [heading, fields] of steps) {
      await page.getByRole('heading', { name: heading }).waitFor()
      for (const [label, text] of Object.entries(fields)) {
        await ada.tabTo(page.getByRole('textbox', { name: label }).first())
        await ada.write(text)
      }
      if (heading === 'Rules of the sale') {
        await ada.tabTo(page.getByRole('checkbox', { name: 'Each paid order must be accepted' }))
        await ada.press('Space')
      }
      await ada.press('Control+Enter')
    }
    await page.getByRole('button', { name: 'Save draft' }).waitFor()
    await ada.press('Enter')
    await page.getByRole('heading', { name: 'Lighthouse Bond' }).waitFor()
    offeringId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    counts.add('draft an offering', ada.taken(), 60)

    await page.getByRole('button', { name: 'Open offering' }).waitFor()
    await ada.press('a')
    await dialogOf(ada).getByText('Afterwards only its end').waitFor()
    await ada.press('Enter')
    await saw(ada, 'A second person must confirm')
    counts.add('open an offering', ada.taken(), 2)
    await graceConfirms('open an offering', /^Open offering/)
    await until('a mail about the proposal has arrived', () =>
      day.mailbox.mails.some(({ text = '' }) => text.includes('/console/approvals')),
    )
    await page.getByText('OPEN', { exact: true }).first().waitFor()
  })

  step('approve three investors at once', async () => {
    await ada.press('g', 'i')
    await ada.page.getByRole('link', { name: 'Emmy Noether' }).waitFor()
    await ada.press('j', 'x', 'j', 'x', 'j', 'x')
    await ada.page.getByText('3 selected').waitFor()
    await ada.press('a')
    await dialogOf(ada).getByLabel('Reason').waitFor()
    await ada.write('identity card seen')
    await ada.press('Control+Enter')
    await ada.page.getByText('3 of 3').waitFor()
    await ada.press('Escape')
    const approved = ada.page.getByText('APPROVED', { exact: true })
    await until('the list shows three approvals', async () => (await approved.count()) === 3)
    counts.add('approve three investors', ada.taken(), 11)
  })

  step('import a statement of the bank', async () => {
    orders = []
    for (const { accountId } of investors) orders.push(await day.order(offeringId, accountId, '10'))
    const payments = [
      { amount: '100.00', payerName: 'Mary Somerville', payerIban: 'DE02120300000000202051', text: 'first part' },
      { amount: '150.00', payerName: 'Katherine Johnson', payerIban: 'DE02120300000000202051', text: 'tokens' },
      { amount: '125.00', payerName: 'Emmy Noether', payerIban: 'DE02120300000000202051', text: 'tokens' },
      { amount: '30.00', payerName: 'S. Trust', payerIban: 'DE02120300000000202051', text: 'rest' },
    ]
    const file = camt053({ entries: payments, day: '2026-07-02' })
    const chosen = ada.page.waitForEvent('filechooser')
    // Types without looking: keys wait for the screen that they are meant for.
    await ada.press('g', 's', 'a')
    await (await chosen).setFiles({ name: 'july.xml', mimeType: 'application/xml', buffer: Buffer.from(file) })
    await saw(ada, /july\.xml/)
    counts.add('import a statement', ada.taken(), 3)
  })

  step('match an exact, an under-, an over- and an unknown payment', async () => {
    const { page } = ada
    await ada.press('g', 'm')
    const payments = page.getByRole('navigation', { name: 'Payments without an order' }).getByRole('button')
    await until('the worker has booked the statement', async () => (await payments.count()) === 4, 120_000)
    ada.taken()

    /** Selects a payment and waits for the explanation of the difference. These keys do not count as matching it. */
    const choose = async (payer: string, explanation: string) => {
      await until(`${payer} is chosen`, async () => {
        // Reads all in one call, because the list changes meanwhile.
        const rows = await payments.evaluateAll((all: { ariaCurrent: string | null; textContent: string }[]) =>
          all.map(({ ariaCurrent, textContent }) => ({ isChosen: ariaCurrent === 'true', textContent })),
        )
        const way =
          rows.findIndex(({ textContent }) => textContent.includes(payer)) - rows.findIndex(({ isChosen }) => isChosen)
        if (way !== 0) await page.keyboard.press(way > 0 ? 'j' : 'k')
        return way === 0
      })
      await saw(ada, explanation)
    }
    const assign = async (task: string, keysMax: number) => {
      await ada.press('Enter')
      await dialogOf(ada).getByRole('button', { name: 'Assign payment' }).waitFor()
      await ada.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      counts.add(task, ada.taken(), keysMax)
    }
    await choose('Emmy Noether', 'The payment is exactly what the order lacks.')
    await assign('match a suggested payment', 2)
    await choose('Mary Somerville', 'Less than the order lacks')
    await assign('match a payment that is too small', 2)
    await choose('Katherine Johnson', 'More than the order lacks')
    await assign('match a payment that is too large', 2)
    await choose('S. Trust', 'Choose an order.')
    await ada.press('f')
    await page.locator('input:focus').waitFor()
    await ada.write(orders[0]?.reference ?? '')
    await ada.press('Enter')
    await saw(ada, 'More than the order lacks')
    await assign('find the order of an unknown payment', 4)
    await saw(ada, 'Every payment belongs to an order.')
  })

  step('accept two orders and watch one being minted, without a reload', async () => {
    const { page } = ada
    await ada.press('g', 'o')
    await page.getByText('PAID', { exact: true }).nth(2).waitFor()
    // The list shows the newest first. The last order is to be cancelled later.
    await ada.press('j', 'j', 'x', 'j', 'x')
    await page.getByText('2 selected').waitFor()
    await ada.press('a')
    await dialogOf(ada).getByRole('button', { name: 'Accept', exact: true }).waitFor()
    await ada.press('Enter')
    await page.getByText('2 of 2').waitFor()
    await ada.press('Escape')
    counts.add('accept two orders', ada.taken(), 10)
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    await ada.press('j', 'Enter')
    await page.getByRole('heading', { name: orders[0]?.reference ?? '' }).waitFor()
    await page.locator('header').getByText('MINTED', { exact: true }).waitFor()
    assert.ok(await page.evaluate(() => 'isSamePage' in globalThis))
    counts.add('open an order', ada.taken(), 2)
  })

  step('cancel a paid order and pay it back through a payout that the other person releases', async () => {
    const { page } = ada
    await ada.press('g', 'o')
    await page.getByRole('link', { name: orders[2]?.reference ?? '' }).waitFor()
    await ada.press('j', 'Enter')
    await page.getByRole('heading', { name: orders[2]?.reference ?? '' }).waitFor()
    await ada.start('Cancel order')
    await ada.write('withdrawn by the investor')
    await dialogOf(ada).getByText('125.00').waitFor()
    await ada.press('Control+Enter')
    await page.locator('header').getByText('CANCELLED', { exact: true }).waitFor()
    counts.add('cancel an order', ada.taken(), 7)

    await ada.press('g', 'p')
    await page.getByRole('button', { name: 'Make payout' }).waitFor()
    await ada.press('a')
    await dialogOf(ada).waitFor()
    await ada.press('Enter')
    await page.getByRole('heading', { name: /^Payout of/ }).waitFor()
    await page.getByText('155.00').first().waitFor()
    await page.getByRole('button', { name: 'Release payout' }).waitFor()
    await ada.press('a')
    await dialogOf(ada).waitFor()
    await ada.press('Enter')
    await saw(ada, 'A second person must confirm')
    counts.add('make a payout', ada.taken(), 6)
    await graceConfirms('release a payout', /^Release payout/)

    await page.getByRole('button', { name: 'Download' }).first().waitFor()
    const download = page.waitForEvent('download')
    await ada.press('a')
    await dialogOf(ada).waitFor()
    await ada.press('Enter')
    const file = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString()
    const transfers = readRefundFile(file).blocks.flatMap((block) => block.transfers)
    assert.deepEqual(transfers.map(({ amount }) => amount).toSorted(), ['125.00', '25.00', '5.00'])
    counts.add('download the file for the bank', ada.taken(), 2)
  })

  step('freeze tokens with two people', async () => {
    const { page } = ada
    const [holder] = investors
    assert.ok(holder)
    await ada.press('g', 'f')
    await page.getByRole('link', { name: 'Lighthouse Bond' }).waitFor()
    await ada.press('j', 'Enter')
    await page.getByRole('heading', { name: 'Lighthouse Bond' }).waitFor()
    await ada.start('Freeze')
    await ada.write(holder.address)
    await ada.press('Tab')
    await ada.write('4')
    await ada.press('Tab')
    await ada.write('court order 7 O 1/26')
    await ada.press('Control+Enter')
    await saw(ada, 'A second person must confirm')
    counts.add('propose a freeze', ada.taken(), 9)
    await graceConfirms('freeze tokens', /^(Freeze|Token action)/)
    const isFrozen = async () => (await day.settlement.frozen(offeringId, holder.address)) === 4n
    await until('the tokens are frozen on the chain', isFrozen, 120_000)
  })

  step('read who changed what in the audit log', async () => {
    const { page } = grace
    await grace.press('g', 'u')
    await page.getByText('order.cancelled').first().waitFor()
    const row = page.locator('tr.row').filter({ hasText: 'order.cancelled' })
    const index = Number(await row.getAttribute('data-index'))
    for (let moves = 0; moves <= index; moves += 1) await grace.press('j')
    await grace.press('Enter')
    const panel = page.getByRole('dialog')
    await panel.getByRole('columnheader', { name: 'Before' }).waitFor()
    await panel.getByRole('cell', { name: 'CANCELLED' }).waitFor()
    await grace.press('Escape')
    counts.add('read an audit record', grace.taken(), 40)
  })
})
