import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { createDistribution } from '../../service/src/distributions/operator/create-distribution.ts'
import { updateAccount } from '../../service/src/sales/accounts/update-account.ts'
import { createTransfer } from '../../service/src/tokens/transfers/create-transfer.ts'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { individual } from '../../service/test/harness/data/bodies.ts'
import { type CamtEntry, camt053 } from '../../service/test/harness/money/camt053.ts'
import { newDistribution } from '../../service/test/harness/money/distribution-world.ts'
import { type ReadTransfer, readRefundFile } from '../../service/test/harness/money/refund-file.ts'
import { until } from '../../service/test/harness/wait.ts'
import { type DayInvestor, DayWorld } from './harness/day-world.ts'
import { inSteps } from './harness/in-steps.ts'
import type { Keyboard } from './harness/keyboard.ts'

const token = 100_000_000n

/** The life of units from mint to redemption. Nothing is mocked; two people decide at the console. */
describe('after the mint, by two people', inBrowser, () => {
  let day: DayWorld
  let ada: Keyboard
  let grace: Keyboard
  let mary: DayInvestor
  let emmy: DayInvestor
  let lise: DayInvestor
  let distributionId: string
  let sent: ReadTransfer[]
  let statements = 0

  before(async () => {
    day = await DayWorld.start()
    const investor = (firstName: string, lastName: string) =>
      day.investor(firstName, lastName, {
        kyc: { status: 'APPROVED' },
        bank_account: { ...individual.bank_account, account_holder: `${firstName} ${lastName}` },
      })
    mary = await investor('Mary', 'Somerville')
    emmy = await investor('Emmy', 'Noether')
    lise = await investor('Lise', 'Meitner')
    ;[ada, grace] = await Promise.all([day.person('Ada Lovelace', 'release'), day.person('Grace Hopper', 'money')])
  })
  after(() => day?.end())

  const step = inSteps()

  const shows = ({ page }: Keyboard, text: string | RegExp) => page.locator('main').getByText(text).first().waitFor()

  /** Starts the first action with this name on the page or in a row, and confirms it in its dialog. */
  async function decide({ page }: Keyboard, action: string, confirmation = action, row?: RegExp): Promise<void> {
    const within = row ? page.getByRole('row').filter({ hasText: row }) : page.locator('main')
    await within.getByRole('button', { name: action, exact: true }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: confirmation, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  /** Drafts a distribution as an integrator's system. The record time is the time of the last finalized block. */
  async function draft(kind: string, rate: string, withholding: object[] = []): Promise<void> {
    const [block] = await day.settlement.rows<{ at: Date }>(
      `select timestamp as at from cell.chain_block join cell.chain_cursor on chain_block.chain = chain_cursor.chain
       and number = finalized_number`,
    )
    const { offeringId, direct } = day.settlement
    const body = { ...newDistribution, kind, rate_per_token: rate, withholding, record_at: block?.at.toISOString() }
    distributionId = (await direct.run(createDistribution, { params: { offeringId }, body })).id
  }

  /** One person calculates and proposes, the other sees the sum and confirms it with a passkey, and the first pays. */
  async function approveAndPay(total: string, net = total, inFile = net): Promise<void> {
    await ada.page.goto(`/console/distributions/${distributionId}`)
    await decide(ada, 'Calculate')
    await decide(ada, 'Request approval')
    await shows(ada, 'Waits for a second person')
    await grace.page.goto(`/console/distributions/${distributionId}`)
    await shows(grace, total)
    await decide(grace, 'Approve distribution', 'Confirm with passkey')
    await ada.page.getByRole('button', { name: 'Pay', exact: true }).first().click()
    // The amount in the bank file comes first. The tax and the gross amount explain the difference.
    const figures = ada.page.getByRole('dialog').locator('dl')
    await figures.getByText(net).first().waitFor()
    await figures.getByText(total).first().waitFor()
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' })
    // Sending the file to the bank is the next step, so this is the first action of the page.
    await ada.page.locator('header [data-actions] button').first().getByText('Download file').waitFor()
    sent = await download()
    assert.equal(sum(sent), inFile)
  }

  const sum = (transfers: readonly ReadTransfer[]) =>
    (transfers.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0) / 100).toFixed(2)

  /** Downloads the file that has not been downloaded yet. */
  async function download(): Promise<ReadTransfer[]> {
    const file = ada.page.waitForEvent('download')
    await decide(ada, 'Download', 'Download', /open/)
    const content = Buffer.concat(await (await (await file).createReadStream()).toArray()).toString()
    return readRefundFile(content).blocks.flatMap((block) => block.transfers)
  }

  /** Uploads a statement on its screen and returns to the distribution. */
  async function bank(entries: CamtEntry[]): Promise<void> {
    statements += 1
    const name = `statement-${statements}.xml`
    const file = camt053({ entries, id: crypto.randomUUID(), sequence: String(statements) })
    await ada.page.goto('/console/money/statements')
    const chosen = { name, mimeType: 'application/xml', buffer: Buffer.from(file) }
    await ada.page.getByLabel('Import statement').setInputFiles(chosen)
    await ada.page.getByText(new RegExp(name)).first().waitFor()
    await ada.page.goto(`/console/distributions/${distributionId}`)
  }

  const transferTo = (name: string) => {
    const found = sent.find((transfer) => transfer.name === name)
    assert.ok(found, `no transfer to ${name}`)
    return { amount: found.amount, endToEndId: found.endToEndId }
  }
  const debit = (name: string): CamtEntry => ({ ...transferTo(name), isDebit: true })

  step('two investors buy, and the worker mints their units on the chain', async () => {
    const { settlement } = day
    await settlement.readyOrders(mary.accountId, 3)
    await settlement.readyOrders(emmy.accountId, 1)
    await until('all units are minted', async () => (await settlement.statuses())['MINTED'] === 4, 120_000)
    assert.equal(await settlement.supply(), 4n * token)
  })

  step('one investor sells to another: an operator approves, the wallet of the seller sends', async () => {
    const { settlement } = day
    const body = {
      offering_id: settlement.offeringId,
      sender_wallet_id: mary.walletId,
      receiver_wallet_id: lise.walletId,
      units: String(token),
      reason: 'sale',
    }
    await settlement.direct.run(createTransfer, { body })
    await ada.page.goto('/console/transfers')
    await decide(ada, 'Approve transfer')
    // The receiver has no units yet, so her wallet is registered with the token first.
    await shows(ada, 'READY')
    const [offering] = await settlement.rows<{ address: string }>('select token_address as address from cell.offering')
    await mary.owner.transfer(settlement.chain, offering?.address ?? '', lise.address, token)
    await shows(ada, 'DONE')
  })

  step('a lock-up that one proposes and the other confirms shows without a reload', async () => {
    await ada.page.goto(`/console/offerings/${day.settlement.offeringId}`)
    await ada.page.getByRole('button', { name: 'Set lock-up' }).click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByText('4 HARB are issued').waitFor()
    await dialog.getByLabel('Until').fill('2037-01-31T12:00')
    await dialog.getByRole('cell', { name: 'Jan 31, 2037, 12:00 PM' }).waitFor()
    await dialog.getByLabel('Reason').fill('promised in the prospectus')
    await dialog.getByRole('button', { name: 'Propose lock-up' }).click()
    await dialog.waitFor({ state: 'detached' })

    await grace.page.goto('/console/approvals')
    await grace.page.getByRole('button', { name: /^Set lock-up/ }).click()
    await grace.page.getByRole('rowheader', { name: 'lock_up_until' }).waitFor()
    await decide(grace, 'Confirm', 'Confirm with passkey')
    await shows(ada, 'Jan 31, 2037, 12:00 PM')
  })

  step('a coupon is paid; what the bank returns is paid again', async () => {
    await draft('COUPON', '25.00', [{ country: 'DE', percent: '20' }])
    await approveAndPay('100.00', '80.00')
    assert.deepEqual(sent.map(({ name, amount }) => `${name} ${amount}`).toSorted(), [
      'Emmy Noether 20.00',
      'Lise Meitner 20.00',
      'Mary Somerville 40.00',
    ])
    await bank([debit('Mary Somerville'), debit('Lise Meitner'), debit('Emmy Noether')])
    await shows(ada, 'paid')
    await bank([{ ...transferTo('Emmy Noether'), returnCode: 'AC04' }])
    await shows(ada, 'The bank returned 1 payment')

    const bank_account = { ...individual.bank_account, account_holder: 'Emmy Noether', iban: 'DE75512108001245126199' }
    await day.settlement.direct.run(updateAccount, { params: { accountId: emmy.accountId }, body: { bank_account } })
    await decide(ada, 'Approve bank account')
    await decide(ada, 'Write further files')
    sent = await download()
    assert.deepEqual(
      sent.map(({ name, iban }) => `${name} ${iban}`),
      ['Emmy Noether DE75512108001245126199'],
    )
    await bank([debit('Emmy Noether')])
    await decide(ada, 'Close distribution')
    await shows(ada, 'CLOSED')
  })

  step('a redemption pays all holders and leaves no supply', async () => {
    await draft('REDEMPTION', '12.50')
    // Her bank account has changed since the coupon, so each payment to it needs an approval.
    await approveAndPay('50.00', '50.00', '37.50')
    await decide(ada, 'Approve bank account')
    await decide(ada, 'Write further files')
    sent.push(...(await download()))
    assert.equal(sent.length, 3)
    assert.equal(await day.settlement.supply(), 4n * token, 'nothing is burnt before it is paid')
    await bank(sent.map(({ amount, endToEndId }) => ({ amount, endToEndId, isDebit: true })))
    await until('all units are burnt', async () => (await day.settlement.supply()) === 0n, 120_000)
    await decide(ada, 'Close distribution')
    await shows(ada, 'CLOSED')
    const holders = await day.settlement.rows(
      `select from cell.holding where units <> 0 union all select from cell.unrequested_transfer`,
    )
    assert.deepEqual(holders, [], 'the register is empty, and every transfer had a request')
  })
})
