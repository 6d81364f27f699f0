import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { operatorOperations } from '../src/operator-operations.ts'
import { accessOf } from '../src/platform/api/pipeline/runner.ts'

/** Finds bank data, tax numbers and documents of persons. A new field with such a name is masked or listed below. */
const isPersonal = (name: string) => /iban|tax_id|tax_number|vat|passport|document|national_id|card_number/i.test(name)

/** The issuer's own accounts, and the documents that every buyer of an offering must accept. */
const ownData = [
  'collection_account.iban',
  'payment_bank_account.iban',
  'source_account.iban',
  'documents',
  'document_ids',
]

interface Schema {
  'x-masked'?: string
  properties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
}

/** Returns the paths of all fields in a schema, and whether they are masked. */
function fieldsOf(schema: TSchema | undefined, path: readonly string[] = []): { path: string; isMasked: boolean }[] {
  const { properties = {}, items, anyOf = [], 'x-masked': mask } = (schema ?? {}) as Schema
  const own = path.length > 0 ? [{ path: path.join('.'), isMasked: mask !== undefined }] : []
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, member]) => fieldsOf(member, [...path, name])),
    ...(items ? fieldsOf(items, path) : []),
    ...anyOf.flatMap((choice) => fieldsOf(choice, path)),
  ]
}

const personalFieldsOf = (schema: TSchema | undefined) => {
  const fields = fieldsOf(schema).filter(({ path }) => isPersonal(path.split('.').at(-1) ?? ''))
  const masked = new Set(fields.filter(({ isMasked }) => isMasked).map(({ path }) => path))
  return [...new Set(fields.map(({ path }) => path))].map((path) => ({ path, isMasked: masked.has(path) }))
}

for (const { header } of operatorOperations)
  test(`${header.method} ${header.path}: personal data in its body and its response is declared as masked`, () => {
    const parts = header.duty === 'personal' ? [] : [header.success.body, header.body]
    const open = parts
      .flatMap(personalFieldsOf)
      .filter(({ path, isMasked }) => !isMasked && !ownData.some((own) => path.endsWith(own)))
    assert.deepEqual(open, [])
  })

test('operations that show personal data in full are audited, and no response of theirs is stored', () => {
  const revealing = operatorOperations.filter(({ header }) => header.duty === 'personal')
  assert.ok(revealing.length > 0)
  for (const { header } of revealing) {
    assert.equal(accessOf(header), 'write', `${header.id} is a read, which has no record in the audit log`)
    assert.equal(header.idempotency, 'none', `a replay of ${header.id} would have no record in the audit log`)
  }
})
