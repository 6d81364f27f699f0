/**
 * Licences of packages that we may ship: they ask for a copy of their text and nothing else. A package with another one
 * needs a decision, and then a line here.
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
  'Python-2.0',
  'Unlicense',
])

/** Whether an SPDX expression gives us an allowed licence: one of those joined by OR, all of those joined by AND. */
export function isAllowedLicence(expression: string | undefined): boolean {
  // From the innermost parentheses outwards; what is allowed becomes a licence that is.
  let rest = expression ?? ''
  for (let inner = innermost.exec(rest); inner; inner = innermost.exec(rest))
    rest = rest.replace(inner[0], isAllowedFlat(inner[1] ?? '') ? 'MIT' : 'other')
  return isAllowedFlat(rest)
}

const innermost = /\(([^()]*)\)/

/** AND binds more strongly than OR. */
function isAllowedFlat(expression: string): boolean {
  return expression.split(/ or /i).some((one) => one.split(/ and /i).every((licence) => allowed.has(licence.trim())))
}
