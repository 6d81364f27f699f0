import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { type RegisteredWallet, WalletOwner } from '../../../test/harness/chain/wallet-owner.ts'
import { mintPreconditionChecks, recordedChanges, recordedEvents } from '../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { type ApiResponse, assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useOwnApis } from '../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { Placement } from '../../platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { expireWallet } from './expired-wallet.sql.ts'
import { walletStatuses } from './wallet.schema.ts'
import { canMove, type WalletMove, type WalletStatus, walletMoves } from './wallet-status.ts'

/** Transitions of the specification. */
const successors: Record<WalletStatus, readonly WalletStatus[]> = {
  PENDING: ['ACTIVE', 'EXPIRED'],
  ACTIVE: ['SUSPENDED', 'INACTIVE'],
  SUSPENDED: ['ACTIVE'],
  INACTIVE: ['PENDING'],
  EXPIRED: ['PENDING'],
}

const moves = Object.keys(walletMoves) as WalletMove[]

describe('wallet status changes', async () => {
  const { installation, api, operatorApi } = await useOwnApis()
  const tenant = await TestTenant.create(installation, api)
  let operator = await OperatorClient.create(installation, operatorApi, tenant.id)

  const makeDue = (wallet: RegisteredWallet) =>
    installation.rows(`update cell.wallet set challenge_expires_at = now() - interval '1 s' where id = $1`, [wallet.id])

  /** Does what the worker does with each wallet it selects. */
  const expire = (wallet: RegisteredWallet) => {
    const databases = { databases: installation.databases, placement: new Placement(installation.databases) }
    const due = { tenantId: tenant.id, walletId: wallet.id }
    return inTenantTransaction(databases, { tenantId: tenant.id, access: 'write' }, (tx) =>
      expireWallet(tx, due, new Date()),
    )
  }

  async function walletIn(status: WalletStatus): Promise<{ wallet: RegisteredWallet; accountId: string }> {
    // A new operator each time, because a token has a rate limit per minute.
    operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    const accountId = await tenant.account()
    const wallet = await new WalletOwner().register(operator, accountId)
    if (status === 'EXPIRED') {
      await makeDue(wallet)
      await expire(wallet)
    } else if (status !== 'PENDING') {
      await wallet.prove()
      if (status === 'SUSPENDED') await wallet.decide('suspend')
      if (status === 'INACTIVE') await wallet.decide('retire')
    }
    assert.equal((await wallet.read()).status, status)
    return { wallet, accountId }
  }

  const act: Record<Exclude<WalletMove, 'expire'>, (wallet: RegisteredWallet) => Promise<ApiResponse>> = {
    prove: (wallet) => wallet.prove(),
    suspend: (wallet) => wallet.decide('suspend'),
    resume: (wallet) => wallet.decide('resume'),
    retire: (wallet) => wallet.decide('retire'),
    reopen: (wallet) => wallet.reopen(),
  }

  test('the allowed changes are those of the specification', () => {
    for (const from of walletStatuses) {
      const reachable = moves.filter((move) => canMove(from, move)).map((move) => walletMoves[move].to)
      assert.deepEqual(reachable.toSorted(), successors[from].toSorted(), from)
    }
  })

  for (const from of walletStatuses)
    for (const move of moves) {
      const { to } = walletMoves[move]
      const isAllowed = successors[from].includes(to) && canMove(from, move)
      // Repeating a change returns the same wallet, except that a proof is accepted once and a challenge is always new.
      const isDone = from === to && move !== 'prove' && move !== 'reopen'
      const outcome = isAllowed
        ? `becomes ${to}`
        : isDone
          ? 'changes nothing'
          : from === to
            ? 'is rejected the second time'
            : 'is rejected'
      if (move === 'reopen' && from === 'PENDING') continue

      test(`${from}, ${move}: ${outcome}`, async () => {
        const { wallet, accountId } = await walletIn(from)
        const [earlier, changes] = [await wallet.read(), await recordedChanges(installation, wallet.id)]
        const events = await recordedEvents(installation, tenant.id)
        const checks = await mintPreconditionChecks(installation, accountId)
        if (move === 'expire') {
          if (from === 'PENDING') await makeDue(wallet)
          assert.equal((await expire(wallet)) !== undefined, isAllowed)
          assert.equal((await wallet.read()).status, isAllowed ? 'EXPIRED' : from)
          return
        }
        const response = await act[move](wallet)
        const recorded = (await recordedEvents(installation, tenant.id)).slice(events.length)
        if (isAllowed) {
          assert.deepEqual([response.status, response.body.status], [200, to], response.text)
          const { challenge: _, ...returned } = response.body
          assert.deepEqual(await wallet.read(), returned)
          const data = { wallet_id: wallet.id, account_id: accountId, status: to, previous_status: from }
          assert.deepEqual(
            recorded.map((event) => event.data),
            [data],
          )
          const audited = (await recordedChanges(installation, wallet.id)).slice(changes.length)
          assert.deepEqual(
            audited.map(({ action, actor_id }) => [action, actor_id]),
            [[recorded[0]?.type, operator.who.userId]],
          )
          // A check of the mint preconditions is enqueued whenever the wallet becomes able or unable to receive tokens.
          assert.equal((await mintPreconditionChecks(installation, accountId)) - checks, move === 'reopen' ? 0 : 1)
          return
        }
        if (isDone) assert.deepEqual([response.status, response.body], [200, earlier])
        else {
          const adjective = { prove: 'prov', suspend: 'suspend', resume: 'resum', retire: 'retir', reopen: 'reopen' }
          assertError(response, 409, `wallet_not_${adjective[move]}able`)
          assert.match(response.body.error.message, new RegExp(`^The wallet is ${from}; .*\\.$`))
        }
        assert.deepEqual(
          [await wallet.read(), await recordedChanges(installation, wallet.id), recorded],
          [earlier, changes, []],
        )
        assert.equal(await mintPreconditionChecks(installation, accountId), checks)
      })
    }

  test('the reason for a change is in the audit log and not in the event', async () => {
    const { wallet } = await walletIn('ACTIVE')
    assertInvalid(await operator.post(`${wallet.path}/suspend`, {}))
    await wallet.decide('suspend')
    const [change] = (await recordedChanges(installation, wallet.id)).slice(-1)
    assert.deepEqual(
      [change?.before, change?.after],
      [{ status: 'ACTIVE' }, { status: 'SUSPENDED', reason: 'to suspend' }],
    )
    assert.ok(!JSON.stringify(await recordedEvents(installation, tenant.id)).includes('to suspend'))
  })

  test('a worker expires wallets with an expired challenge and checks again under the lock', async () => {
    const [due, open, renewed] = [await walletIn('PENDING'), await walletIn('PENDING'), await walletIn('PENDING')]
    await installation.owner(async (client) => {
      await makeDue(renewed.wallet)
      await client.query('begin')
      await client.query('select from cell.wallet where id = $1 for update', [renewed.wallet.id])
      await installation.startWorker()
      await until('the worker waits for the lock', async () => (await waitingForLocks(installation)) > 0)
      await client.query(`update cell.wallet set challenge_expires_at = now() + interval '1 h' where id = $1`, [
        renewed.wallet.id,
      ])
      await client.query('commit')
    })
    await makeDue(due.wallet)
    await until('the wallet is expired', async () => (await due.wallet.read()).status === 'EXPIRED')
    assert.equal((await due.wallet.read()).challenge_expires_at, null)
    for (const { wallet } of [open, renewed]) assert.equal((await wallet.read()).status, 'PENDING')
    const recorded = (await recordedEvents(installation, tenant.id)).filter(({ type }) => type === 'wallet.expired')
    assert.deepEqual(pluck(recorded, 'data'), [
      { wallet_id: due.wallet.id, account_id: due.accountId, status: 'EXPIRED', previous_status: 'PENDING' },
    ])
  })
})
