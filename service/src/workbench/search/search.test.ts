// cspell:ignore neale ottilie weyer nwbk sixtus renée renee zora mueller müller groß gross zoë wanda
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { newOrder, newRefund } from '../../../test/harness/every-operation/waiting-work.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { failByHand, retryByHand } from '../../../test/harness/money/fail-refund.ts'
import { reportPayment } from '../../../test/harness/money/incoming-payment.ts'
import { Vaults } from '../../platform/postgres/vault.ts'
import { deleteTerms, indexTerms } from '../../records/search/search-term.sql.ts'
import { createAccount } from '../../sales/accounts/create-account.ts'
import { updateAccount } from '../../sales/accounts/update-account.ts'
import { transactionTerms } from '../../tokens/indexer/apply-logs.ts'
import { deleteOrphanedTransactions } from '../../tokens/indexer/pending-transaction.sql.ts'
import { rebuildSearchTerms } from './rebuild-search-terms.ts'

describe('search', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.operatorApi()
  const tenantId = await installation.createTenant('Search')
  const direct = new DirectOperations(installation, tenantId)

  interface Found {
    kind: string
    id: string
    name: string
    account_id: string | null
    order_id: string | null
  }
  const found = async (query: string): Promise<Found[]> =>
    (await api.call(tenantId, 'POST', '/search', { query })).results
  const idsOf = async (kind: string, query: string) =>
    (await found(query)).filter((one) => one.kind === kind).map(({ id }) => id)

  const person = async (firstName: string, lastName: string, email: string, iban = 'DE89370400440532013000') => {
    const body = {
      ...individual,
      individual: { ...individual.individual, firstName, lastName },
      communication: { email, email_confirmed: true },
      bank_account: { ...individual.bank_account, iban },
    }
    return (await direct.run(createAccount, { body })).id as string
  }

  test('an account is found by the beginnings of its words, ignoring accents and case, if all of them match', async () => {
    const zoe = await person('Zoë', 'Müller-Groß', 'zoe.mueller@example.org')
    const zora = await person('Zora', 'Neale', 'zora@example.org')
    assert.deepEqual(await idsOf('account', 'zo'), [zora, zoe])
    for (const query of ['zoe', 'ZOË', 'mul', 'gross', 'zo gross', 'gross zo', 'zoe.mueller@exa'])
      assert.deepEqual(await idsOf('account', query), [zoe], query)
    for (const query of ['oe', 'zoe neale', 'mueller zora']) assert.deepEqual(await idsOf('account', query), [], query)
    assert.deepEqual(await idsOf('account', zora), [zora])
  })

  test('changing an account changes the words that find it, and none do after its terms are deleted', async () => {
    const id = await person('Ottilie', 'Weyer', 'ottilie@example.org', 'DE02120300000000202051')
    const change = {
      communication: { email: 'new@example.net', email_confirmed: true },
      bank_account: { ...individual.bank_account, iban: 'DE02500105170137075030' },
    }
    assert.deepEqual(await idsOf('account', 'DE02 1203 0000 0000 2020 51'), [id])
    await direct.run(updateAccount, { params: { accountId: id }, body: change })
    assert.deepEqual(await idsOf('account', 'ottilie@example.org'), [])
    assert.deepEqual(await idsOf('account', 'DE02120300000000202051'), [])
    for (const query of ['new@example.net', 'de02500105170137075030', 'ottilie'])
      assert.deepEqual(await idsOf('account', query), [id], query)
    await direct.write((tx) => deleteTerms(tx, tenantId, [id]))
    for (const query of ['new@example.net', 'DE02500105170137075030', 'ottilie'])
      assert.deepEqual(await idsOf('account', query), [], query)
  })

  test('an IBAN is in no term, and matches only as a whole and only for users who may know it', async () => {
    const id = await person('Iris', 'Banner', 'iris@example.org', 'GB29NWBK60161331926819')
    const rows = await installation.rows('select term from cell.search_term where subject_id = $1', [id])
    assert.equal(rows.length, 4)
    assert.ok(!rows.some(({ term }) => /gb29|nwbk|601613/i.test(term)))
    assert.deepEqual(await idsOf('account', 'GB29 NWBK 6016 1331 9268 19'), [id])
    assert.deepEqual(await idsOf('account', 'GB29NWBK6016133192681'), [])
    const { token } = await installation.createOperator(tenantId, { duties: ['read'] })
    const query = 'GB29NWBK60161331926819'
    assert.deepEqual((await api.callWith(token, 'POST', '/search', { query })).results, [])
  })

  test('orders, payments, refunds and unassigned payments are found by their references', async () => {
    const scene = { installation, api, tenantId }
    const orderId = await newOrder(scene, 'ORDERED')
    const { payment_reference: reference } = await api.call(tenantId, 'GET', `/orders/${orderId}`)
    const grouped = reference.replaceAll(/(.{4})/g, '$1 ')
    for (const query of [reference, reference.toLowerCase(), grouped, reference.slice(0, 8)])
      assert.ok((await idsOf('order', query)).includes(orderId), query)
    assert.deepEqual(await idsOf('order', `${reference}0`), [])

    const paid = {
      paymentReference: reference,
      reference: 'bank-entry-77',
      payer: { name: null, iban: 'FR1420041010050500013M02606' },
    }
    await reportPayment(installation, tenantId, paid)
    const [payment] = await found('bank-entry-77')
    assert.deepEqual([payment?.kind, payment?.order_id], ['payment', orderId])
    assert.deepEqual(await idsOf('payment', 'FR1420041010050500013M02606'), [payment?.id])
    await reportPayment(installation, tenantId, {
      reference: 'stray-88',
      payer: { name: null, iban: 'FR7630006000011234567890189' },
    })
    const [stray] = await found('stray-88')
    assert.equal(stray?.kind, 'unassigned_payment')
    assert.deepEqual(await idsOf('unassigned_payment', 'FR7630006000011234567890189'), [stray?.id])

    const refund = await newRefund(scene, 'send')
    assert.deepEqual(await idsOf('refund', 'run-1'), [refund.id])
    assert.deepEqual(await idsOf('refund', refund.id.replaceAll('-', '').slice(0, 30)), [refund.id])
    await failByHand(installation, { tenantId, refundId: refund.id })
    await retryByHand(installation, { tenantId, refundId: refund.id })
    assert.deepEqual(await idsOf('refund', 'run-1'), [], 'a refund that is due again has no reference')
  })

  test('wallets are found by address, transactions by hash until a reorg removes them', async () => {
    const accountId = await person('Wanda', 'Wallet', 'wanda@example.org')
    const fixtures = new Fixtures(installation)
    const offeringId = await fixtures.offering(tenantId)
    const walletId = await fixtures.wallet(tenantId, accountId)
    const { public_address: address } = await api.call(tenantId, 'GET', `/accounts/${accountId}/wallets/${walletId}`)
    for (const query of [address, address.toLowerCase(), address.slice(0, 12)])
      assert.deepEqual(await idsOf('wallet', query), [walletId], query)

    const hash = `0x${'5e'.repeat(32)}`
    const holding = { tenantId, accountId, walletId, offeringId }
    const orphan = { transaction_hash: hash, status: 'pending', chain: 'anvil', block_hash: '0xb', log_index: 0 }
    const id = await fixtures.transaction(holding, orphan)
    await direct.write((tx) => indexTerms(tx, tenantId, [transactionTerms({ id, hash })]))
    assert.deepEqual(await idsOf('transaction', hash.slice(0, 20)), [id])
    await direct.write((tx) => deleteOrphanedTransactions(tx, { tenantId, chain: 'anvil' }, ['0xb']))
    assert.deepEqual(await installation.rows('select from cell.search_term where subject_id = $1', [id]), [])
  })

  test('at most five of a kind, the newest first; a query without words finds nothing', async () => {
    const ids: string[] = []
    for (const number of [1, 2, 3, 4, 5, 6]) ids.push(await person('Sixtus', `Nr${number}`, `s${number}@example.org`))
    assert.deepEqual(await idsOf('account', 'sixtus'), ids.slice(1).toReversed())
    for (const query of ['..', ' \u{10FFFF} ', "%' --"]) assert.deepEqual(await found(query), [], query)
  })

  test('rebuilding writes exactly the terms that the service has written', async () => {
    const terms = () =>
      installation.rows('select kind, term, subject_id from cell.search_term where tenant_id = $1 order by 1, 2, 3', [
        tenantId,
      ])
    await person('Renée', 'Rebuild', 'renee@example.org')
    const live = await terms()
    assert.ok(new Set(live.map(({ kind }) => kind)).size >= 6)
    await installation.rows(`delete from cell.search_term where tenant_id = $1 and term < 'm'`, [tenantId])
    await installation.rows(
      `insert into cell.search_term select distinct tenant_id, kind, 'stale', subject_id from cell.search_term
       where tenant_id = $1`,
      [tenantId],
    )
    assert.notDeepEqual(await terms(), live)
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const context = { databases: direct.databases, vaults, onProgress: () => {} }
    await rebuildSearchTerms(tenantId, context, { blindOnly: false })
    // The test above deleted them, as the erasure of an account does. The row is still there, so it has terms again.
    const erased = (await terms()).filter(({ term }) => ['ottilie', 'weyer', 'new@example.net'].includes(term))
    assert.equal(erased.length, 3)
    const subject = erased[0]?.subject_id
    const others = (await terms()).filter(({ subject_id: id }) => id !== subject)
    assert.deepEqual(others, live)
  })
})
