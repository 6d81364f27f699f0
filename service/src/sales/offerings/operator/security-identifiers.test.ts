import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIsin, isLei } from './security-identifiers.ts'

// The test cases of https://rosettacode.org/wiki/Validate_International_Securities_Identification_Number.
const isins = {
  valid: ['US0378331005', 'AU0000XVGZA3', 'AU0000VXGZA3', 'FR0000988040'],
  wrong: ['US0373831005', 'U50378331005', 'US03378331005'],
}
// The examples of https://docs.rs/leim, https://rdrr.io/cran/checkstring/man/is_lei.html and
// https://docs.rs/mx20022-validate/0.1.1/mx20022_validate/rules/lei.
const leis = {
  valid: ['2594007XIACKNMUAW223', '7H6GLXDRUGQFU57RNE97', '7ZW8QJWVPR4P1S5PX088'],
  wrong: ['2594007XIACKNMUAW222', 'TOOSHORT'],
}

test('an ISIN is accepted if its Luhn check digit is right', () => {
  for (const isin of isins.valid) assert.ok(isIsin(isin), isin)
  for (const isin of [...isins.wrong, 'us0378331005', '']) assert.ok(!isIsin(isin), isin)
})

test('an LEI is accepted if its MOD 97-10 check digits are right', () => {
  for (const lei of leis.valid) assert.ok(isLei(lei), lei)
  for (const lei of [...leis.wrong, '7h6glxdrugqfu57rne97', '']) assert.ok(!isLei(lei), lei)
})

test('each wrong character of an identifier is found', () => {
  const next = (letter: string) => {
    if (/\d/.test(letter)) return String((Number(letter) + 1) % 10)
    return letter === 'Z' ? 'A' : String.fromCharCode(letter.charCodeAt(0) + 1)
  }
  const changed = (text: string, index: number) =>
    text.slice(0, index) + next(text[index] ?? '') + text.slice(index + 1)
  for (let index = 0; index < 12; index += 1) assert.ok(!isIsin(changed('US0378331005', index)), `ISIN at ${index}`)
  for (let index = 0; index < 20; index += 1)
    assert.ok(!isLei(changed('7H6GLXDRUGQFU57RNE97', index)), `LEI at ${index}`)
})
