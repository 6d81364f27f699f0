/**
 * Licences of packages that we may ship: they require only a copy of their text. A package with another licence needs a
 * decision, and then a line here.
 */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Allowed for fonts: they may be part of any software, but may not be sold alone.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
])

/** Returns true if an SPDX expression allows it: one of the licences joined by OR, all of those joined by AND. */
export function isAllowedLicence(expression: string | undefined): boolean {
  // Works from the innermost parentheses outwards, and replaces each allowed part by an allowed licence.
  let rest = expression ?? ''
  for (let inner = innermost.exec(rest); inner; inner = innermost.exec(rest))
    rest = rest.replace(inner[0], isAllowedFlat(inner[1] ?? '') ? 'MIT' : 'other')
  return isAllowedFlat(rest)
}

const innermost = /\(([^()]*)\)/

/** AND binds more tightly than OR. */
function isAllowedFlat(expression: string): boolean {
  return expression.split(/ or /i).some((one) => one.split(/ and /i).every((licence) => allowed.has(licence.trim())))
}
