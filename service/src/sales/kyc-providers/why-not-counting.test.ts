import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNotCounting } from './why-not-counting.ts'

const provider = { kind: 'sumsub', kycLevels: ['id-and-liveness'], kybLevels: ['company'] } as const
const individual = { outcome: 'approved', level: 'id-and-liveness', applicantType: 'individual' } as const
const company = { outcome: 'approved', level: 'company', applicantType: 'company' } as const

test('a review counts only at a level of the provider, and only for the kind of investor that it is about', () => {
  assert.equal(whyNotCounting('kyc', individual, provider), null)
  assert.equal(whyNotCounting('kyb', company, provider), null)
  assert.equal(whyNotCounting('kyb', individual, provider), 'other_applicant_type')
  assert.equal(whyNotCounting('kyb', { ...individual, level: 'company' }, provider), 'other_applicant_type')
  assert.equal(whyNotCounting('kyc', company, provider), 'other_applicant_type')
  assert.equal(whyNotCounting('kyc', { ...individual, applicantType: null }, provider), 'other_applicant_type')
  for (const level of ['phone-and-email-only', 'company', null])
    assert.equal(whyNotCounting('kyc', { ...individual, level }, provider), 'level_not_listed')
})

test('a provider of Sumsub without levels approves nothing', () => {
  const without = { ...provider, kycLevels: [], kybLevels: [] }
  assert.deepEqual(
    [whyNotCounting('kyc', individual, without), whyNotCounting('kyb', company, without)],
    Array(2).fill('level_not_listed'),
  )
})

test('a rejection waits for an operator at every level, and a standard provider has no levels', () => {
  assert.equal(whyNotCounting('kyc', { ...company, outcome: 'rejected' }, provider), null)
  assert.equal(
    whyNotCounting('kyb', { outcome: 'approved', level: null, applicantType: null }, { ...provider, kind: 'standard' }),
    null,
  )
})
