import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../../test/harness/callers/operations.ts'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { benefitingPerson, company, taxInformation } from '../../../../test/harness/data/bodies.ts'
import { createDocument } from '../../../../test/harness/data/documents.ts'
import { answerInText } from '../../../../test/harness/data/eligibility.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { camt053, importDirectly } from '../../../../test/harness/money/camt053.ts'
import { DistributionRows } from '../../../../test/harness/money/distribution-rows.ts'
import { failByHand } from '../../../../test/harness/money/fail-refund.ts'
import { createQueuedCheck } from '../../../../test/harness/servers/kyc-provider.ts'
import { matchStatements } from '../../../money/statements/match-statements.job.ts'

/** Columns that the export leaves out, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'base.approval.secrets': 'secrets of the tenant, deleted with the decision',
  'cell.bank_statement.gap_resolution': 'about a statement, which many investors are in',
  'cell.bank_statement.discard_reason': 'about a statement, which many investors are in',
  'cell.chain_op.data': 'calls of contracts with the address of a wallet, which is exported',
  'cell.chain_signer.key_data': 'a key of the tenant',
  'cell.chain_tx.raw': 'public on the chain; the address of the wallet is exported',
  'cell.data_key.wrapped': 'a key of the tenant',
  'cell.distribution_file.file': 'repeats the creditors, of many investors',
  'cell.document_part.content': 'documents are listed and downloaded one by one',
  'cell.export_chunk.content': 'files of other exports, deleted after a day',
  'cell.holding.address': 'the address of a wallet, which is exported with its balance',
  'cell.idempotency.body': 'responses that repeat other columns, deleted after a day',
  'cell.kyc_provider.secret': 'a secret of the tenant',
  'cell.kyc_provider.previous_secret': 'a secret of the tenant',
  'cell.payment_provider.secret': 'a secret of the tenant',
  'cell.payment_provider.previous_secret': 'a secret of the tenant',
  'cell.payout.file': 'repeats the creditors, of many investors',
  'cell.register_extract.content': 'extracts are listed and read one by one',
  'cell.search_term.term': 'words of other columns',
  'cell.simulated_wallet.private_key': 'in development only',
  'cell.statement_file.content': 'repeats the entries, of many investors',
  'cell.token_log.from_address': 'the address of a wallet, exported with its transactions',
  'cell.token_log.to_address': 'the address of a wallet, exported with its transactions',
  'cell.unassigned_payment.dismissal_reason': 'a payment that was dismissed belongs to no investor',
  'cell.webhook_endpoint.secret': 'a secret of the tenant',
  'cell.webhook_endpoint.previous_secret': 'a secret of the tenant',
}

/** Personal and sealed columns of the cells. Those of the directory are about the people who run tenants. */
function classifiedColumns(): string[] {
  const document = readFileSync(new URL('../../../../../docs/security/data.md', import.meta.url), 'utf8')
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  return document
    .split('\n')
    .filter((line) => /^\| `(base|cell)\./.test(line))
    .flatMap((line) => {
      const [, table = '', sealed, , personal] = line.split('|')
      return [...namesIn(sealed), ...namesIn(personal)].map((column) => `${table.replaceAll(/[` ]/g, '')}.${column}`)
    })
}

describe('the export of everything about an investor', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  const tenant = await TestTenant.create(installation, api)
  const operator = await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties')
  const offeringId = await tenant.fixtures.offering(tenant.id)
  const owner = (text: string, values?: unknown[]) => installation.rows(text, values)
  // A correction of bank data waits for a second person, as a proposal with bank data in it.
  await owner(`delete from directory.approval_policy where tenant_id = $1 and policy = 'refund_to_changed_account'`, [
    tenant.id,
  ])

  /** Matches imported entries, as the worker does. */
  const match = () =>
    matchStatements.run({ tenant_id: tenant.id }, new DirectOperations(installation, tenant.id).jobContext)

  async function post(path: string, body: object): Promise<Record<string, string>> {
    const response = await operator.post(path, body)
    assert.ok(response.status < 300, response.text)
    return response.body
  }

  /**
   * Creates an investor with a different text in every column. Returns these texts by column, as they appear in the
   * JSON of the export.
   */
  async function investor(mark: string, country: string, iban: string): Promise<Investor> {
    const text = (column: string) => `${mark} ${column.replaceAll(/[._]/g, ' ')}`
    const accountId = await tenant.account({
      ...company,
      company: { ...company.company, name: text('full name'), street: text('profile') },
      communication: { email: `${mark}@example.com`, email_confirmed: true },
      bank_account: { ...company.bank_account, account_holder: text('bank account'), iban },
      tax_information: { ...taxInformation, tax_identification_number: text('tax') },
    })
    const person = Object.fromEntries(Object.keys(benefitingPerson).map((name) => [name, text(name)]))
    const added = await tenant.post(`/accounts/${accountId}/benefiting-persons`, { ...person, country })
    assert.equal(added.status, 201, added.text)
    const walletId = await tenant.fixtures.wallet(tenant.id, accountId, { name: text('wallet') })
    const [wallet] = await owner('select public_address as address from cell.wallet where id = $1', [walletId])
    const holding = { tenantId: tenant.id, accountId, walletId, offeringId }
    await tenant.fixtures.balance(holding, '5')
    await tenant.fixtures.transaction(holding, {
      transaction_type: 'TRANSFER',
      tx_from: text('tx from'),
      tx_to: text('tx to'),
    })
    const documentId = await createDocument(installation, { tenantId: tenant.id, accountId })
    const key = { tenantId: tenant.id, accountId }
    await createQueuedCheck(installation, key, 'rejected', { name: text('check') })
    await answerInText(installation, key, text('answer'))
    await post('/notes', { subject_type: 'account', subject_id: accountId, text: text('note') })
    const bank_account = { ...company.bank_account, account_holder: text('request') }
    assert.equal((await operator.patch(`/accounts/${accountId}`, { bank_account, reason: 'letter' })).status, 202)
    const terms = { entitlement: 'returned', creditor: text('entitlement creditor') }
    const { entitlementId } = await new DistributionRows(installation, tenant.id).create(accountId, terms)
    await owner('update cell.entitlement set failure = $2 where id = $1', [entitlementId, text('entitlement failure')])
    const texts = {
      'cell.distribution_transfer.creditor': text('entitlement creditor'),
      'cell.entitlement.failure': text('entitlement failure'),
      'base.approval.request': text('request'),
      'cell.account.bank_account': text('bank account'),
      'cell.account.tax_information': text('tax'),
      'cell.account.email': `${mark}@example.com`,
      'cell.account.profile': text('profile'),
      'cell.account.full_name': text('full name'),
      ...Object.fromEntries(Object.entries(person).map(([name, value]) => [`cell.benefiting_person.${name}`, value])),
      'cell.benefiting_person.country': `"country":"${country}"`,
      'cell.kyc_check.details': text('check'),
      'cell.questionnaire_answer.answers': text('answer'),
      'cell.note.text': text('note'),
      'cell.wallet.public_address': String(wallet?.address),
      'cell.wallet.name': text('wallet'),
      'cell.token_transaction.tx_from': text('tx from'),
      'cell.token_transaction.tx_to': text('tx to'),
      ...(await paidAndRefunded(accountId, text, iban)),
    }
    return { accountId, documentId, texts }
  }

  /** Creates two orders: one is overpaid and refunded, the other is paid by a transfer that names no order. */
  async function paidAndRefunded(accountId: string, text: (column: string) => string, payerIban: string) {
    const orders = [await tenant.order(offeringId, accountId), await tenant.order(offeringId, accountId)]
    const [{ payment_reference: creditorReference }] = await owner(
      'select payment_reference from cell.token_order where id = $1',
      [orders[0]],
    )
    const entries = [
      { amount: '130.00', creditorReference, payerName: text('payer'), payerIban },
      { amount: '125.00', text: text('remittance'), payerName: text('unassigned'), payerIban },
    ]
    await importDirectly(installation, tenant.id, camt053({ id: crypto.randomUUID(), entries }))
    await match()
    const [unassigned] = (await operator.get('/unassigned-payments?status=open')).body.results
    await post(`/unassigned-payments/${unassigned.id}/assign`, { order_id: orders[1] })
    await owner(
      `update cell.bank_entry set state = 'resolved', note = $2, resolution = $3 where unassigned_payment_id = $1`,
      [unassigned.id, text('attention'), text('resolution')],
    )
    await post('/payouts', {})
    const [{ id: refundId }] = await owner('select id from cell.refund where order_id = $1', [orders[0]])
    await post(`/refunds/${refundId}/send`, { reference: 'RUN-1' })
    await failByHand(installation, { tenantId: tenant.id, refundId }, text('failure'))
    return {
      'cell.payment.payer': text('payer'),
      'cell.payout_refund.creditor': `"creditor_name":"${text('payer')}"`,
      'cell.refund.failure': text('failure'),
      'cell.unassigned_payment.payer': text('unassigned'),
      'cell.bank_entry.details': text('remittance'),
      'cell.bank_entry.note': text('attention'),
      'cell.bank_entry.resolution': text('resolution'),
    }
  }

  interface Investor {
    accountId: string
    documentId: string
    texts: Record<string, string>
  }

  const exportOf = async ({ accountId }: Investor): Promise<string> => {
    const path = `/accounts/${accountId}/subject-access`
    const response = await operatorApi.call('POST', path, { cookie: operator.who.cookie })
    assert.equal(response.status, 200, response.text)
    assert.equal(response.body.is_complete, true)
    return response.text
  }

  test('it contains every personal and sealed column about them, and nothing about another investor', async () => {
    const one = await investor('quetzal', 'LI', 'DE02120300000000202051')
    const other = await investor('ibis', 'MC', 'DE02500105170137075030')
    assert.deepEqual([...Object.keys(one.texts), ...Object.keys(leftOut)].toSorted(), classifiedColumns().toSorted())
    for (const [own, foreign] of [
      [one, other],
      [other, one],
    ] as const) {
      const data = await exportOf(own)
      const missing = Object.entries(own.texts).filter(([, text]) => !data.includes(text))
      assert.deepEqual(missing, [])
      const strange = Object.entries(foreign.texts).filter(([, text]) => data.includes(text))
      assert.deepEqual(strange, [])
      assert.ok(data.includes(own.documentId) && !data.includes(foreign.documentId))
      assert.ok(!data.includes(foreign.accountId))
    }
  })
})
