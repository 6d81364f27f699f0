// cspell:ignore tökens Qosc uxza Ohff Rpda
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CamtEntry, camt053 } from '../../../test/harness/money/camt053.ts'
import { Money } from '../../platform/base/money.ts'
import { entryFingerprint } from './entry-fingerprint.ts'
import { readCamt053 } from './read-camt053.ts'

const details = {
  endToEndId: 'E1',
  creditorReference: 'RF45ABCDEFGHJKLMNP',
  text: ['For my', 'tökens'],
  payerName: 'Zoë Müller',
  payerIban: 'DE02120300000000202051',
}
const noDetails = {
  endToEndId: null,
  creditorReference: null,
  text: null,
  payerName: null,
  payerIban: null,
  isReturn: false,
  returnCode: null,
  returnText: null,
}
const account = 'DE89370400440532013000'

/** Entries, and the fingerprints under which earlier releases stored them. */
const stored: readonly (readonly [what: string, entry: CamtEntry, fingerprints: readonly string[]])[] = [
  [
    'a reference',
    { amount: '125.00', bankReference: 'B1', ...details },
    ['f12chdns5LaGXeBFnqPib2-jIxBylS2OcSAxFAbvVe4'],
  ],
  [
    'a reversal with the reference of its credit',
    { amount: '125.00', bankReference: 'B1', isDebit: true, isReversal: true },
    ['KFza8bQ8zTTeEy2vuBuPt2IhfHNM9slsSgOQbn-PV2A'],
  ],
  [
    'a batch with references of its transactions',
    {
      amount: '3.00',
      bankReference: 'B2',
      batch: [
        { amount: '1.00', transactionReference: 'T1' },
        { amount: '1.00', transactionReference: 'T1' },
        { amount: '1.00', transactionReference: 'B2' },
      ],
    },
    [
      's_XQoscM7so5DmQk77uxza8Mvw75OhffVURpda7N_EE',
      '6kDJ8K1xhpwWs2KK50sQPz90PYzBsg0xilZxOsTx1sc',
      'EPdU-6vGoXEo2gCGs2tr43T1xDVxHRJydqwKUnG4Fsk',
    ],
  ],
  [
    'a batch without a reference',
    { amount: '2.00', bankReference: null, batch: [{ amount: '1.00' }, { amount: '1.00' }] },
    ['vtOgURE9js1I3BLNEOxv2OLGMMIWLitJH7lhLJepFWo', 'JIZHg-GeeP25DdNpcqv9XbHVYvoaQJPXe7xZQgepyZs'],
  ],
  [
    'a placeholder as a reference',
    { amount: '7.50', bankReference: 'NOTPROVIDED', entryReference: 'N1', ...details },
    ['Ct7SVY2b4AfdQuL6bVR4WZhDme19-rt4kRfT0Mlc9yc'],
  ],
  [
    'a return without a reference',
    { amount: '8.00', bankReference: null, isDebit: true, returnCode: 'AC04', returnText: 'closed', isReversal: false },
    ['5wOvC97b3WyBADrpKbBC0vS1sPWL7_TdbIn59ixO-k0'],
  ],
  [
    'a long reference',
    { amount: '9.00', bankReference: 'R'.repeat(80) },
    ['tkkTWwL2tQ4wN8pj4jwi9wB5CjRhkrPogm9xpK0F3Vc'],
  ],
]

for (const [what, entry, fingerprints] of stored)
  test(`an imported entry stays known: ${what}`, async () => {
    const found: string[] = []
    for await (const parts of readCamt053(bytesOf(camt053({ account, entries: [entry] }))))
      for (const part of parts) if (part.kind === 'entry') found.push(entryFingerprint(account, part.entry))
    assert.deepEqual(found, fingerprints)
  })

test('an entry that another format reports is known too', async () => {
  const fromOther = {
    amount: Money.parse('125', 'EUR'),
    isCredit: true,
    isReversal: false,
    bookedOn: '2026-07-03',
    bankReference: 'B1',
    entryNumber: null,
    ordinal: 1,
    details: { ...noDetails, text: 'For my tokens' },
  }
  assert.equal(entryFingerprint(account, fromOther), stored[0]?.[2][0])
})

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
