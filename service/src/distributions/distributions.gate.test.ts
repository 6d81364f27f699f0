import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { individual } from '../../test/harness/data/bodies.ts'
import { assertError, assertInvalid } from '../../test/harness/installation/api-client.ts'
import { DistributionWorld, newDistribution } from '../../test/harness/money/distribution-world.ts'
import { assertValidRefundFile, readRefundFile } from '../../test/harness/money/refund-file.ts'
import { pluck } from '../../test/harness/pluck.ts'

/** Test offerings have tokens of 10^8 units. */
const token = 100_000_000n
const otherIban = 'DE02120300000000202051'

describe('a distribution', async () => {
  const world = await DistributionWorld.create()
  after(() => world.end())
  const { tenant, operator, installation } = world.statements
  const ada = await world.investor(2n * token)
  const grace = await world.investor(token / 3n, { country: 'AT', lastName: 'Hopper' })
  await world.stranger(token)

  const post = (path: string, body?: unknown) => operator.post(path, body)
  const ibansIn = async (fileId = '') => {
    const [block] = readRefundFile((await world.download(fileId)).text).blocks
    return pluck(block?.transfers ?? [], 'iban')
  }

  test('is calculated at the record time: exact, rounded down, taxed by country, strangers set apart', async () => {
    // This transfer is after the record time and does not count.
    await world.move(20, ada.address, grace.address, token)
    const id = await world.draft({ rate_per_token: '12.34', withholding: [{ country: 'DE', percent: '26.375' }] })
    const calculated = await world.calculate(id)
    assert.equal(calculated.status, 'CALCULATED')
    // 3.33333333 tokens: 41.1333332922 is 41.13 in total; the holders get 24.68, 4.11 and 12.34.
    assert.deepEqual([calculated.amount, calculated.gross_amount, calculated.remainder], ['41.13', '41.13', '0.00'])
    assert.deepEqual([calculated.holders, calculated.holders_without_account], [3, 1])
    assert.deepEqual([calculated.withheld_amount, calculated.set_apart_amount], ['6.50', '12.34'])
    const [largest, second, third] = calculated.largest
    assert.deepEqual([largest.net_amount, largest.country, largest.account_id], ['18.18', 'DE', ada.accountId])
    assert.deepEqual([second.net_amount, second.status, second.account_id], ['12.34', 'set_apart', null])
    assert.deepEqual([third.net_amount, third.withheld_amount, third.status], ['4.11', '0.00', 'due'])
  })

  test('shares a total among all units and shows what rounding leaves', async () => {
    const id = await world.draft({ rate_per_token: undefined, total_amount: '0.05' })
    const { gross_amount: gross, remainder, totals } = await world.calculate(id)
    // 5 cents are 3 for 2 tokens, 1 for the stranger's token, none for a third of a token.
    assert.deepEqual([gross, remainder], ['0.04', '0.01'])
    assert.deepEqual(
      totals.map(({ status, count }: { status: string; count: number }) => [status, count]),
      [
        ['due', 1],
        ['nothing', 1],
        ['set_apart', 1],
      ],
    )
  })

  test('sets apart the money of an address that an account claims but has not proven', async () => {
    const entitledBy = new Map<string, string>()
    for (const status of ['ACTIVE', 'SUSPENDED', 'INACTIVE', 'PENDING', 'EXPIRED']) {
      const accountId = await tenant.account()
      const walletId = await tenant.fixtures.wallet(tenant.id, accountId, { blockchain: 'anvil', status })
      const { body } = await tenant.get(`/accounts/${accountId}/wallets/${walletId}`)
      assert.equal(body.status, status)
      // After the record time of the other tests.
      await world.move(40, null, body.public_address, token)
      entitledBy.set(body.public_address, `${status} ${accountId}`)
    }
    const id = await world.draft({ record_at: world.at(50) })
    await world.calculate(id)
    const found = (await world.entitlements(id)).flatMap(({ address, status, account_id: accountId }) => {
      const [wallet, claimant] = entitledBy.get(address)?.split(' ') ?? []
      return wallet === undefined ? [] : [`${wallet}: ${status}, ${accountId === claimant ? 'named' : accountId}`]
    })
    assert.deepEqual(found.toSorted(), [
      'ACTIVE: due, named',
      'EXPIRED: set_apart, null',
      'INACTIVE: due, named',
      'PENDING: set_apart, null',
      'SUSPENDED: due, named',
    ])
  })

  test('fails the check of sums if it has lost all its entitlements', async () => {
    const id = await world.draft()
    await world.calculate(id)
    await installation.rows('delete from cell.entitlement where distribution_id = $1', [id])
    await assert.rejects(world.check(), new RegExp(id))
    await world.calculate(id)
  })

  test('is not calculated before a block after its record time is finalized, nor without holders', async () => {
    const late = await world.draft({ record_at: world.at(1_001) })
    assertError(await post(`/distributions/${late}/calculate`), 409, 'block_not_finalized')
    const early = await world.draft({ record_at: world.at(0) })
    assertError(await post(`/distributions/${early}/calculate`), 409, 'distribution_without_holders')
    for (const change of [
      { total_amount: '1.00' },
      { rate_per_token: undefined, total_amount: '1.001' },
      { rate_per_token: undefined },
      { rate_per_token: '0' },
      { source_account: { ...newDistribution.source_account, iban: 'DE00' } },
      { withholding: [{ country: 'DE', percent: '1' }, { country: 'DE', percent: '2' }] }, // biome-ignore format: dense
    ])
      assertInvalid(await post(`/offerings/${world.offeringId}/distributions`, { ...newDistribution, ...change }))
  })

  for (const [what, change] of [
    ['record time', { record_at: '2026-01-01T12:00:00.000Z' }],
    ['rate', { rate_per_token: '2/3' }],
    ['source account', { source_account: { ...newDistribution.source_account, iban: otherIban } }],
  ] as const)
    test(`a change of its ${what} after the calculation makes it a draft and voids the approval`, async () => {
      const id = await world.draft()
      await world.calculate(id)
      const proposal = await post(`/distributions/${id}/approve`)
      const changed = await operator.patch(`/distributions/${id}`, change)
      assert.deepEqual([changed.status, changed.body.status], [200, 'DRAFT'], changed.text)
      assertError(await world.confirm(proposal), 409, 'subject_changed')
      assertError(await post(`/distributions/${id}/pay`), 409, 'distribution_not_in_state')
      assert.deepEqual(await world.entitlements(id), [], 'what was calculated is void')
      // A change turns even an approved distribution into a draft; a new calculation replaces the old entitlements.
      await world.calculate(id)
      assert.equal((await world.approve(id)).status, 200)
      assert.equal((await operator.patch(`/distributions/${id}`, change)).body.status, 'DRAFT')
      assertError(await post(`/distributions/${id}/pay`), 409, 'distribution_not_in_state')
      assert.equal((await world.calculate(id)).holders, 3)
      assert.equal((await post(`/distributions/${id}/cancel`)).body.status, 'CANCELLED')
    })

  test('is approved by someone other than the proposer, and only then announced', async () => {
    const id = await world.draft()
    assertError(await post(`/distributions/${id}/approve`), 409, 'distribution_not_in_state')
    await world.calculate(id)
    const proposal = await post(`/distributions/${id}/approve`)
    assert.equal(proposal.status, 202)
    assert.equal((await world.read(id)).status, 'CALCULATED')
    const eventCount = (await world.events()).length
    assert.equal((await world.confirm(proposal)).status, 200)
    assert.deepEqual((await world.events()).slice(eventCount), ['distribution.announced'])
    assert.deepEqual((await tenant.get(`/accounts/${ada.accountId}/entitlements`)).body.results, [])
    assert.equal((await post(`/distributions/${id}/cancel`)).body.status, 'CANCELLED')
    assert.equal((await world.events()).at(-1), 'distribution.withdrawn')
  })

  test('is paid by files; a returned payment is paid again to the corrected account; then it is closed', async () => {
    const id = await world.approved()
    const eventCount = (await world.events()).length
    const [fileId = ''] = await world.pay(id)
    const file = await world.download(fileId)
    assertValidRefundFile(file.text)
    const [block] = readRefundFile(file.text).blocks
    assert.deepEqual(block?.transfers.map(({ amount, name }) => [amount, name]).toSorted(), [
      ['0.33', 'Ada Hopper'],
      ['2.00', 'Ada Lovelace'],
    ])
    assert.equal((await world.download(fileId)).text, file.text, 'every download has the same bytes')
    assert.deepEqual(await world.pay(id), [], 'what is sent is in no other file')

    const endToEndIdOf = (amount: string) => block?.transfers.find((one) => one.amount === amount)?.endToEndId ?? ''
    const debit = { amount: '2.00', isDebit: true, endToEndId: endToEndIdOf('2.00') }
    const returned = { amount: '0.33', endToEndId: endToEndIdOf('0.33'), returnCode: 'AC04' }
    assert.deepEqual(await world.bank([debit, { ...debit, amount: '1.99' }, debit, returned]), [
      'refund_settled',
      'needs_attention',
      'needs_attention',
      'refund_failed',
    ])
    const graceOf = async () => (await world.entitlements(id)).find((one) => one.account_id === grace.accountId)
    const { id: entitlementId, status, failure } = await graceOf()
    assert.deepEqual([status, failure], ['returned', 'AC04'])
    assert.deepEqual(await world.pay(id), [], 'a returned payment waits for a decision')

    const bank_account = { ...individual.bank_account, account_holder: 'Ada Hopper', iban: otherIban }
    assert.equal((await tenant.patch(`/accounts/${grace.accountId}`, { bank_account })).status, 200)
    const approval = await post(`/entitlements/${entitlementId}/approve-account`)
    assert.equal(approval.status, 202, approval.text)
    assert.equal((await post(`/distributions/${id}/close`)).body.status, 'CLOSED', 'nothing is with the bank')
    assert.equal((await world.confirm(approval)).body.result.status, 'due')
    const [again = ''] = await world.pay(id)
    const second = readRefundFile((await world.download(again)).text).blocks[0]?.transfers ?? []
    assert.deepEqual([second.length, second[0]?.iban, second[0]?.endToEndId], [1, otherIban, returned.endToEndId])
    assertError(await post(`/distributions/${id}/close`), 409, 'distribution_not_in_state')
    const { endToEndId } = returned
    assert.deepEqual(await world.bank([{ amount: '0.33', isDebit: true, endToEndId }]), ['refund_settled'])
    assert.equal((await post(`/distributions/${id}/close`)).body.status, 'CLOSED')
    const events = (await world.events()).slice(eventCount)
    assert.deepEqual(events.toSorted(), ['entitlement.failed', 'entitlement.paid', 'entitlement.paid'])
    const { body } = await tenant.get(`/accounts/${grace.accountId}/entitlements`)
    assert.deepEqual(
      body.results.map((one: Record<string, string>) => [one['distribution_id'], one['status'], one['net_amount']]),
      [[id, 'paid', '0.33']],
    )
  })

  test('does not pay a bank account that changed after the approval until a second person approves it', async () => {
    const mallory = await world.investor(0n, { lastName: 'Mallory' })
    await world.move(30, ada.address, mallory.address, token / 2n)
    const id = await world.approved({ record_at: world.at(30) })
    const bank_account = { ...individual.bank_account, account_holder: 'Ada Mallory', iban: otherIban }
    await tenant.patch(`/accounts/${mallory.accountId}`, { bank_account })
    const [fileId] = await world.pay(id)
    assert.equal((await ibansIn(fileId)).includes(otherIban), false)
    const theirs = (await world.entitlements(id)).find((one) => one.account_id === mallory.accountId)
    assert.deepEqual([theirs.status, theirs.left_out], ['due', 'bank_account_changed'])
    assert.equal((await world.confirm(await post(`/entitlements/${theirs.id}/approve-account`))).status, 200)
    const [next] = await world.pay(id)
    // The account changes again after the file was written: the file pays the approved one.
    await tenant.patch(`/accounts/${mallory.accountId}`, { bank_account: individual.bank_account })
    assert.deepEqual(await ibansIn(next), [otherIban])
  })
})
