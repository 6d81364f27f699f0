import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { dataModelDocument } from '../../scripts/data-model.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('docs/data-model.md', () => {
  const document = dataModelDocument(read('service/schema.sql'))

  test('is what npm run generate -- data-model writes', () => {
    assert.equal(read('docs/data-model.md'), document)
  })

  test('shows required, optional and single relations, and no partition', () => {
    for (const line of [
      'account ||--o{ wallet : account_id',
      'account ||--o{ account_approval : account_id',
      'wallet ||--o| simulated_wallet : wallet_id',
      'kyc_check |o--o{ account_approval : check_id',
    ])
      assert.ok(document.includes(`\n  ${line}\n`), line)
    assert.doesNotMatch(document, /event_default/)
  })
})
