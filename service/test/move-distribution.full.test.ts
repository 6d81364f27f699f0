import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { MoveWorld } from './harness/clusters/move-world.ts'
import { individual } from './harness/data/bodies.ts'
import type { Party } from './harness/data/fixtures.ts'
import { ownerRows } from './harness/installation/database.ts'
import { assertDistributionsAddUp } from './harness/money/distribution-check.ts'
import { DistributionWorld } from './harness/money/distribution-world.ts'
import { readRefundFile } from './harness/money/refund-file.ts'
import { until } from './harness/wait.ts'

const token = 100_000_000n
const otherIban = 'DE02120300000000202051'

describe('a tenant that moves while a distribution is paid', async () => {
  const world = await MoveWorld.create()
  after(() => world.end())
  const { installation } = world
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  const distributions = await DistributionWorld.create({ installation, api, operatorApi })
  const holders: Party[] = []
  for (const tokens of [1n, 2n, 3n])
    holders.push(await distributions.investor(tokens * token, { lastName: `Holder${tokens}` }))

  test('pays each investor once: queued work runs only in the new cell, and the bank settles it there', async () => {
    const { operator, tenant } = distributions.statements
    const worker = await world.installation.startWorker()
    const id = await distributions.draft()
    await distributions.calculate(id)
    await distributions.approve(id)
    const [fileId = ''] = await distributions.pay(id)
    const sent = transfersIn(await distributions.download(fileId))
    const [one = '', two = '', three = ''] = ['1.00', '2.00', '3.00'].map((amount) => endToEndIdOf(sent, amount))
    const bounced = { amount: '2.00', endToEndId: two, returnCode: 'AC04' }
    assert.deepEqual(await distributions.bank([{ amount: '1.00', isDebit: true, endToEndId: one }, bounced]), [
      'refund_settled',
      'refund_failed',
    ])
    const returned = (await distributions.entitlements(id)).find(({ status }) => status === 'returned')
    const bank_account = { ...individual.bank_account, account_holder: 'Ada Holder2', iban: otherIban }
    await tenant.patch(`/accounts/${holders[1]?.accountId}`, { bank_account })
    await distributions.confirm(await operator.post(`/entitlements/${returned.id}/approve-account`))

    // One entitlement is paid, one is with the bank, and the file of the third waits for a worker.
    await worker.stop()
    assert.equal((await operator.post(`/distributions/${id}/pay`)).status, 200)
    await world.maintained(['move-tenant', '--tenant', tenant.id, '--to', 'east'])
    await world.installation.startWorker()
    await until('the files are written', async () => !(await distributions.read(id)).is_filing)

    const { body: files } = await operator.get(`/distributions/${id}/files?direction=asc`)
    assert.equal(files.results.length, 2)
    const again = transfersIn(await distributions.download(files.results[1].id))
    assert.deepEqual(again, [{ amount: '2.00', iban: otherIban, endToEndId: two }])
    assert.deepEqual(transfersIn(await distributions.download(fileId)), sent)
    assert.equal((await operator.post(`/distributions/${id}/pay`)).status, 200)
    await until('no file is written', async () => !(await distributions.read(id)).is_filing)
    const { states } = await distributions.statements.importEntries([
      { amount: '2.00', isDebit: true, endToEndId: two },
      { amount: '3.00', isDebit: true, endToEndId: three },
      // The bank reports again a payment that was settled in the old cell.
      { amount: '1.00', isDebit: true, endToEndId: one },
    ])
    assert.deepEqual(states, ['refund_settled', 'refund_settled', 'needs_attention'])
    assert.equal((await operator.post(`/distributions/${id}/close`)).body.status, 'CLOSED')
    // The copy for the way back follows; no worker has written a file there.
    const filesIn = (cell: string) => world.rows(cell, 'select id from cell.distribution_file order by id')
    const written = await filesIn('east')
    assert.equal(written.length, 2)
    await until('the copy has the same files', async () => isDeepStrictEqual(await filesIn('main'), written))
    await assertDistributionsAddUp({ rows: (...query) => ownerRows(world.urlOf('east'), ...query) }, tenant.id)
  })
})

const transfersIn = ({ text }: { text: string }) =>
  readRefundFile(text)
    .blocks.flatMap(({ transfers }) => transfers)
    .map(({ amount, iban, endToEndId }) => ({ amount, iban, endToEndId }))

function endToEndIdOf(transfers: ReturnType<typeof transfersIn>, amount: string): string {
  return transfers.find((transfer) => transfer.amount === amount)?.endToEndId ?? ''
}
