import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../service/src/sales/accounts/create-account.ts'
import { createOrder } from '../../service/src/sales/orders/create-order.ts'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { DirectOperations } from '../../service/test/harness/callers/operations.ts'
import { WalletOwner } from '../../service/test/harness/chain/wallet-owner.ts'
import { individual } from '../../service/test/harness/data/bodies.ts'
import { Fixtures } from '../../service/test/harness/data/fixtures.ts'
import { reportPayment } from '../../service/test/harness/money/incoming-payment.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'

describe('what operators do for one investor', inBrowser, () => {
  let world: ConsoleWorld
  let ada: ConsolePerson
  let accountId: string

  before(async () => {
    world = await ConsoleWorld.start()
    accountId = (await direct().run(createAccount, { body: individual })).id
    ada = await world.person('Ada Lovelace')
  })
  after(() => world?.end())

  const direct = () => new DirectOperations(world.signIn.installation, world.ids.tenantId)
  const dialog = () => ada.page.getByRole('dialog')
  const call = async (path: string) =>
    (await world.signIn.installation.operatorApi()).call(world.ids.tenantId, 'GET', path)

  async function start(action: string, id = accountId): Promise<void> {
    await ada.page.goto(`/console/investors/${id}`)
    await ada.page.locator('main header').getByRole('button', { name: 'More actions' }).click()
    await ada.page.getByRole('menuitem', { name: action }).click()
    await dialog().waitFor()
  }
  const submit = () => dialog().locator('button[type="submit"]').click()

  test('a corrected e-mail address and bank account are stored, each as a whole', async () => {
    await start('Correct contact')
    await dialog().getByLabel('E-mail', { exact: false }).first().fill('ada.king@example.com')
    await dialog().getByLabel('Reason').fill('letter of the investor')
    await submit()
    await ada.notified('Account corrected')
    await start('Correct bank account')
    await dialog().getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 51')
    await dialog().getByLabel('Reason').fill('letter of the investor')
    await submit()
    await ada.notified('Account corrected')
    const account = await call(`/accounts/${accountId}`)
    assert.equal(account.communication.email, 'ada.king@example.com')
    assert.match(account.bank_account.iban, /2051$/)
    assert.equal(account.bank_account.account_holder, individual.bank_account.account_holder)
  })

  test('a registered wallet shows the message to sign, and its signature makes it active', async () => {
    const owner = new WalletOwner()
    await ada.page.goto(`/console/investors/${accountId}`)
    await ada.page.getByRole('button', { name: 'Register wallet' }).click()
    await dialog().getByLabel('Address').fill(owner.address)
    await dialog().getByLabel('Name').fill('Main wallet')
    await dialog().getByLabel('Blockchain').selectOption('ethereum')
    await submit()
    await dialog().getByRole('heading', { name: 'Message to sign' }).waitFor()
    const message = (await dialog().locator('pre').textContent()) ?? ''
    assert.ok(message.includes(owner.address))
    await ada.page.keyboard.press('Escape')
    await ada.page.getByRole('button', { name: 'Prove wallet' }).click()
    await dialog().getByLabel('Signed message').fill(message)
    await dialog()
      .getByLabel('Signature')
      .fill(await owner.sign(message))
    await submit()
    await ada.notified('Wallet proven')
    const { results } = await call(`/accounts/${accountId}/wallets`)
    assert.deepEqual(
      results.map(({ public_address: address, status }: { public_address: string; status: string }) => [
        address,
        status,
      ]),
      [[owner.address, 'ACTIVE']],
    )
  })

  test('the copy of what is stored about an investor is complete, and erasing waits for a second person', async () => {
    await start('Export personal data')
    const download = ada.page.waitForEvent('download')
    await submit()
    const file = await (await (await download).createReadStream()).toArray()
    const copy = JSON.parse(Buffer.concat(file).toString())
    assert.equal(copy.account.bank_account.iban, 'DE02120300000000202051')
    assert.equal(copy.wallets.length, 1)
    const { id } = await direct().run(createAccount, { body: individual })
    await start('Erase personal data', id)
    await dialog().getByLabel('Reason').fill('request of the investor')
    await submit()
    await ada.page.getByRole('link', { name: 'Open approvals' }).waitFor()
    assert.equal((await call(`/accounts/${id}`)).erased_at, null)
  })

  test('payments with one suggestion each are listed, and assigned at once', async () => {
    const { installation } = world.signIn
    const offeringId = await new Fixtures(installation).offering(world.ids.tenantId)
    for (const units of ['1100000000', '1200000000']) {
      const order = await direct().run(createOrder, { params: { offeringId }, body: { account_id: accountId, units } })
      const payer = { name: 'Ada Lovelace', iban: 'DE02120300000000202051' }
      const amount = Number(order.total_amount).toFixed(2)
      await reportPayment(installation, world.ids.tenantId, { amount, payer })
    }
    await ada.page.goto('/console/money/matching')
    await ada.page.getByRole('button', { name: 'Assign suggestions' }).click()
    await dialog().getByText('2 payments have exactly one suggestion each').waitFor()
    await dialog().getByText('Ada Lovelace, 137.50 EUR → RF').waitFor()
    await submit()
    await dialog().getByText('2 of 2').waitFor()
    const { results } = await call(`/orders?account_id=${accountId}`)
    assert.deepEqual(
      results.map(({ status }: { status: string }) => status),
      ['PAID', 'PAID'],
    )
  })
})
