import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { billOfMaterials } from '../../scripts/bill-of-materials.ts'
import { isAllowedLicence } from '../../scripts/licences.ts'

describe('the licences of what we ship', () => {
  test('allow everyone to run, change and sell it', () => {
    const { components } = billOfMaterials()
    assert.ok(components.length > 100)
    const others = components
      .map(({ name, version, licenses: [licence] }) => ({ name: `${name} ${version}`, licence: licence?.expression }))
      .filter(({ licence }) => !isAllowedLicence(licence))
    assert.deepEqual(others, [])
  })

  test('are read as SPDX expressions', () => {
    for (const allowed of [
      'MIT',
      '(MIT OR GPL-3.0-only)',
      'MIT or MPL-2.0',
      'MIT AND ISC',
      '(MIT AND (GPL-2.0 OR ISC))',
    ])
      assert.ok(isAllowedLicence(allowed), allowed)
    for (const refused of [
      'GPL-3.0-only',
      'MIT AND AGPL-3.0-only',
      'UNLICENSED',
      'SEE LICENSE IN LICENSE',
      '',
      undefined,
    ])
      assert.ok(!isAllowedLicence(refused), refused ?? 'no licence')
  })
})
