import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { WalletOwner } from '../../../test/harness/chain/wallet-owner.ts'
import { benefitingPerson, company, individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { compareBlockers } from '../../../test/harness/models/compare-blockers.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { isCurrency, Money } from '../../platform/base/money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createBenefitingPerson } from '../accounts/create-benefiting-person.ts'
import { updateAccount } from '../accounts/update-account.ts'
import { updateBlockersOfAccount } from '../blockers/order-blocker.sql.ts'
import { proveWalletForOperator } from '../wallets/operator/prove-wallet-for-operator.ts'
import { registerWalletForOperator } from '../wallets/operator/register-wallet-for-operator.ts'
import { resumeWallet } from '../wallets/operator/resume-wallet.ts'
import { suspendWallet } from '../wallets/operator/suspend-wallet.ts'
import { createOrder } from './create-order.ts'
import { acceptOrder } from './operator/accept-order.ts'
import { releaseMintHold } from './operator/release-mint-hold.ts'
import type { OrderStatus } from './order-status.ts'
import { lockOrder } from './order-transition.sql.ts'
import { transitionOrder } from './transition-order.ts'

const reason = { reason: 'for a test' }

describe('the stored blockers of an order', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('Blockers')
  const direct = new DirectOperations(installation, tenantId)
  const offeringId = await new Fixtures(installation).offering(tenantId, { acceptance_required: true })

  const account = async (body: object): Promise<string> => (await direct.run(createAccount, { body })).id
  const order = async (accountId: string): Promise<string> =>
    (await direct.run(createOrder, { params: { offeringId }, body: { account_id: accountId, units: '100000000' } })).id
  const codesOf = async (orderId: string) => {
    const rows = await direct.write((tx) =>
      tx.rows<{ code: string }>(sql`select code from cell.order_blocker where order_id = ${orderId} order by code`),
    )
    return pluck(rows, 'code')
  }
  const move = (orderId: string, to: OrderStatus, change = {}) =>
    direct.write(async (tx) => {
      const locked = await lockOrder(tx, { tenantId, orderId })
      assert.ok(locked)
      await transitionOrder(tx, locked, to, change)
    })
  const setOffering = (column: string, value: string | null) =>
    installation.rows(`update cell.offering set ${column} = $2 where id = $1`, [offeringId, value])

  test('they change in the transaction that changes the account, a wallet or the order', async () => {
    const accountId = await account(company)
    const orderId = await order(accountId)
    const other = await order(await account(individual))
    const all = ['acceptance_missing', 'approval_missing', 'benefiting_person_missing', 'wallet_missing']
    const steps: [string, () => Promise<unknown>, string[]][] = [
      ['created', async () => undefined, all],
      [
        'person',
        () => direct.run(createBenefitingPerson, { params: { accountId }, body: benefitingPerson }),
        ['acceptance_missing', 'approval_missing', 'wallet_missing'],
      ],
      ['approved', () => approve(accountId, 'APPROVED'), ['acceptance_missing', 'wallet_missing']],
      ['wallet', () => prove(accountId), ['acceptance_missing']],
      ['suspended', () => moveWallet(suspendWallet), ['acceptance_missing', 'wallet_missing']],
      ['accepted', () => direct.run(acceptOrder, { params: { orderId } }), ['wallet_missing']],
      ['resumed', () => moveWallet(resumeWallet), []],
      ['paid', () => move(orderId, 'PAID'), []],
      ['ready', () => move(orderId, 'READYTOMINT', { mintWalletId: wallet.walletId }), []],
      ['stopped', () => setOffering('minting_stopped', 'paused'), []],
      ['resumed minting', () => setOffering('minting_stopped', null), []],
      ['minting', () => move(orderId, 'MINTING'), []],
      ['rejected', () => approve(accountId, 'REJECTED'), []],
      [
        'failed',
        () => move(orderId, 'READYTOMINT', { mintHoldReason: 'frozen' }),
        ['approval_missing', 'mint_on_hold'],
      ],
      ['approved again', () => approve(accountId, 'APPROVED'), ['mint_on_hold']],
      ['released', () => direct.run(releaseMintHold, { params: { orderId } }), []],
      ['suspended again', () => moveWallet(suspendWallet), ['wallet_missing']],
      ['cancelled', () => move(orderId, 'CANCELLED', { cancelledAt: new Date() }), []],
    ]
    for (const [name, act, expected] of steps) {
      await act()
      assert.deepEqual(await codesOf(orderId), expected, name)
      await compareBlockers(direct)
    }
    assert.deepEqual(await codesOf(other), ['acceptance_missing', 'approval_missing', 'wallet_missing'])
  })

  test('an order that is created while its account is approved does not keep the blocker', async () => {
    const accountId = await account(individual)
    let creating: Promise<string> | undefined
    await direct.write(async (tx) => {
      await tx.rows(sql`
        update cell.account set kyc_status = 'APPROVED' where tenant_id = ${tenantId} and id = ${accountId}`)
      creating = order(accountId)
      await until('the order waits', async () => (await waitingForLocks(installation)) > 0)
      await updateBlockersOfAccount(tx, { tenantId, accountId })
    })
    assert.deepEqual(await codesOf((await creating) ?? ''), ['acceptance_missing', 'wallet_missing'])
  })

  let wallet: { accountId: string; walletId: string }
  const moveWallet = (operation: typeof suspendWallet) => direct.run(operation, { params: wallet, body: reason })
  const approve = (accountId: string, status: string) =>
    direct.run(updateAccount, { params: { accountId }, body: { kyb: { status } } })

  async function prove(accountId: string): Promise<void> {
    const owner = new WalletOwner()
    const { id, challenge } = await direct.run(registerWalletForOperator, {
      params: { accountId },
      body: owner.body({}),
    })
    wallet = { accountId, walletId: id }
    const body = { message: challenge, signature: await owner.sign(challenge) }
    await direct.run(proveWalletForOperator, { params: wallet, body })
  }

  test('an amount in minor units has the digits of its currency', async () => {
    const rows = await installation.rows<{ currency: string; minor: string }>(
      `select currency, base.minor_units(12, currency) as minor from unnest($1::text[]) currency`,
      [Intl.supportedValuesOf('currency')],
    )
    assert.ok(rows.length > 100)
    for (const { currency, minor } of rows)
      if (isCurrency(currency)) assert.equal(BigInt(minor), Money.parse('12', currency).minor, currency)
  })
})
