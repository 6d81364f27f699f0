import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertValidRefundFile, readRefundFile } from '../../../test/harness/money/refund-file.ts'
import { Money } from '../../platform/base/money.ts'
import { creditTransferFile } from './credit-transfer-file.ts'
import { hasLetterOrDigit, sepaText } from './sepa-text.ts'
import { type CreditTransfer, transferOf } from './transfer.ts'

const holder = { account_holder: 'Ada Lovelace', bic: 'COBADEFFXXX', iban: 'DE89 3704 0044 0532 0130 00' }
const collection = { account_holder: 'Harbour Issuer GmbH', bic: 'COBADEFFXXX', iban: 'DE02120300000000202051' }
const refund = ({ amount = '12.50', currency = 'EUR', ...change }: { amount?: string; currency?: string } = {}) => ({
  id: crypto.randomUUID(),
  amount: Money.parse(amount, currency),
  reason: 'late',
  paymentReference: 'ITABCDEFGH',
  ...change,
})
const fileOf = (transfers: readonly CreditTransfer[]) =>
  creditTransferFile({
    messageId: '019f2245-6100-7abc-8def-0123456789ab',
    createdAt: new Date('2026-07-02T10:00:00.123Z'),
    executionDate: '2026-07-03',
    transfers,
  })
const transfer = (change: object = {}, to: object = {}) => {
  const result = transferOf(refund(change), collection, { ...holder, ...to })
  assert.ok('creditor' in result, JSON.stringify(result))
  return result
}

describe('the credit transfer file', () => {
  test('contains amount, creditor, debtor, references and remittance text', async () => {
    const one = transfer()
    const file = await fileOf([one])
    assertValidRefundFile(file)
    const { count, sum, blocks } = readRefundFile(file)
    assert.deepEqual([count, sum, blocks.length], ['1', '12.50', 1])
    assert.deepEqual(blocks[0], {
      debtor: 'DE02120300000000202051',
      count: '1',
      sum: '12.50',
      service: 'SEPA',
      date: '2026-07-03',
      transfers: [
        {
          endToEndId: one.id.replaceAll('-', ''),
          instructionId: `8def0123456789ab-${one.id.replaceAll('-', '').slice(-16)}`,
          amount: '12.50',
          currency: 'EUR',
          name: 'Ada Lovelace',
          iban: 'DE89370400440532013000',
          text: 'Refund ITABCDEFGH paid too late',
        },
      ],
    })
  })

  test('has one block for each debtor account and currency; only euros are SEPA', async () => {
    const other = { ...collection, iban: 'DE89370400440532013000' }
    const inFrancs = { ...refund({ currency: 'CHF', amount: '7.05' }) }
    const inYen = refund({ currency: 'JPY', amount: '1000' })
    const results = [
      transferOf(refund(), collection, holder),
      transferOf(refund({ amount: '0.01' }), collection, holder),
      transferOf(refund(), other, holder),
      transferOf(inFrancs, collection, { ...holder, iban: 'CH9300762011623852957' }),
      transferOf(inYen, collection, holder),
    ]
    const transfers = results.map((result) => ('creditor' in result ? result : assert.fail(result.message)))
    const file = await fileOf(transfers)
    assertValidRefundFile(file)
    const { count, sum, blocks } = readRefundFile(file)
    assert.deepEqual([count, sum], ['5', '1032.06'])
    assert.deepEqual(
      blocks.map((block) => [block.debtor, block.service, block.count, block.sum]),
      [
        [collection.iban, 'SEPA', '2', '12.51'],
        [other.iban, 'SEPA', '1', '12.50'],
        [collection.iban, undefined, '1', '7.05'],
        [collection.iban, undefined, '1', '1000'],
      ],
    )
  })

  test("an invalid BIC is omitted for the creditor's bank and NOTPROVIDED for the debtor's", async () => {
    const result = transferOf(refund(), { ...collection, bic: '123456789' }, { ...holder, bic: '????????' })
    assert.ok('creditor' in result)
    const file = await fileOf([result])
    assertValidRefundFile(file)
    assert.ok(file.includes('NOTPROVIDED') && !file.includes('BICFI'), file)
  })

  test('the schema rejects an invalid file', async () => {
    const file = await fileOf([transfer()])
    for (const [what, broken] of [
      [
        'an element in the wrong position',
        file.replace(/(\s*<PmtMtd>.*?<\/PmtMtd>)(\s*<NbOfTxs>.*?<\/NbOfTxs>)/, '$2$1'),
      ],
      ['an element that does not exist', file.replace('<Cdtr>', '<Nonsense/><Cdtr>')],
      ['no execution date', file.replace(/<ReqdExctnDt>[\s\S]*?<\/ReqdExctnDt>/, '')],
      ['a name with other characters', file.replace('Ada Lovelace', 'Ada Løvelace')],
      ['a name that is too long', file.replace('Ada Lovelace', 'A'.repeat(71))],
      ['an amount of zero', file.replace('>12.50</InstdAmt>', '>0.00</InstdAmt>')],
      ['no currency', file.replace(' Ccy="EUR"', '')],
      ['an IBAN in groups', file.replace('DE89370400440532013000', 'DE89 3704')],
      ['another version', file.replaceAll('pain.001.001.09', 'pain.001.001.03')],
    ] as const) {
      assert.notEqual(broken, file, what)
      assert.throws(() => assertValidRefundFile(broken), /./, what)
    }
    assertValidRefundFile(file)
  })

  test('a refund that a file cannot contain gets a reason and what to do', () => {
    const reasons = [
      transferOf(refund(), collection, { ...holder, iban: 'DE00370400440532013000' }),
      transferOf(refund(), collection, { ...holder, iban: 'BR1500000000000010932840814P2' }),
      transferOf(refund(), collection, { ...holder, account_holder: '👻👻' }),
      transferOf(refund(), collection, { ...holder, account_holder: ' ' }),
      transferOf(refund({ amount: '1000000000.00' }), collection, holder),
      transferOf(refund({ currency: 'XAU', amount: '1' }), collection, holder),
      transferOf(refund(), { ...collection, iban: 'XX00' }, holder),
      transferOf(refund(), { ...collection, account_holder: '…' }, holder),
    ].map((result) => ('reason' in result ? result : assert.fail('it became a transfer')))
    assert.deepEqual(
      reasons.map(({ reason }) => reason),
      [
        'iban_invalid',
        'iban_outside_sepa',
        'name_empty',
        'name_empty',
        'amount_too_large',
        'currency_not_supported',
        'collection_iban_invalid',
        'collection_name_empty',
      ],
    )
    for (const { message } of reasons) assert.match(message, /(Pay the refund manually|Correct )/)
  })

  test('names are converted to the characters of SEPA and truncated', () => {
    for (const [name, expected] of [
      ['Jürgen Weiß & Søn', 'Juergen Weiss + Son'],
      ['José Ñandú-Łukasz', 'Jose Nandu-Lukasz'],
      ['ﬁne “Co” <b>', "fine 'Co' .b."],
      ['Ada \u{1F600} Lovelace', 'Ada . Lovelace'],
      ['//x//y//', 'x/y'],
      ['  two\u00a0 spaces\t', 'two spaces'],
    ])
      assert.equal(sepaText(name ?? '', 70), expected)
    assert.equal(sepaText('ä'.repeat(140), 70), 'ae'.repeat(35))
    assert.equal(sepaText(`${'a'.repeat(69)} b`, 70), 'a'.repeat(69))
    assert.deepEqual([hasLetterOrDigit(sepaText('שלום', 70)), hasLetterOrDigit(sepaText('日本 7', 70))], [false, true])
  })

  test('with any refunds and any names, the file is valid, complete and exact', async () => {
    const nastyName = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 150 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 150 }),
      fc.constantFrom(
        '👨‍👩‍👧 & Söhne',
        'مريم',
        '<![CDATA[x]]>',
        ']]>',
        '&amp;',
        'A'.repeat(145),
        '\u202eabc',
        "O'Neil; DROP",
      ),
    )
    const someCurrency = fc.constantFrom('EUR', 'CHF', 'JPY', 'BHD', 'USD')
    const one = fc.record({
      name: nastyName,
      currency: someCurrency,
      minorUnits: fc.bigInt(1n, 99_999_999_999n),
      isOtherDebtor: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 12 }), async (refunds) => {
        const transfers = refunds.flatMap(({ name, currency, minorUnits, isOtherDebtor }) => {
          const from = isOtherDebtor ? { ...collection, iban: holder.iban } : collection
          const due = refund({ amount: String(Money.ofMinor(minorUnits, currency)), currency })
          const result = transferOf(due, from, { ...holder, account_holder: name })
          if ('creditor' in result) return [result]
          assert.equal(result.reason, 'name_empty')
          return []
        })
        if (transfers.length === 0) return
        const file = await fileOf(transfers)
        assertValidRefundFile(file)
        const { count, sum, blocks } = readRefundFile(file)
        const read = blocks.flatMap((block) => block.transfers)
        assert.deepEqual(
          read.map(({ endToEndId, amount, currency }) => [endToEndId, amount, currency]).toSorted(),
          transfers.map((each) => [each.id.replaceAll('-', ''), String(each.amount), each.amount.currency]).toSorted(),
        )
        // Three digits are enough for the minor units of each of these currencies.
        const thousandths = (amounts: readonly string[]) =>
          amounts.reduce((total, amount) => total + Money.parse(amount, 'BHD').minor, 0n)
        assert.deepEqual(
          [count, thousandths([sum])],
          [String(read.length), thousandths(read.map((each) => each.amount))],
        )
        for (const block of blocks) {
          assert.equal(block.count, String(block.transfers.length))
          assert.equal(thousandths([block.sum]), thousandths(block.transfers.map((each) => each.amount)))
        }
      }),
      { numRuns: 300 },
    )
  })
})
