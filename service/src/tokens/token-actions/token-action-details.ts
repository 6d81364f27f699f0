import type { Static } from 'typebox'
import { type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import type { NewTokenAction } from './token-action.schema.ts'
import {
  type TokenActionDetails,
  type TokenActionMember,
  tokenActionMemberNames,
  tokenActionMembers,
  tokenActions,
} from './token-action-kinds.ts'

/** Checks the members of a proposed action and normalizes its addresses. Reports all failures at once. */
export function parseTokenActionDetails(body: Static<typeof NewTokenAction>): TokenActionDetails {
  const failures = tokenActionMemberNames.flatMap((name) => failuresOf(body, name))
  if (failures.length > 0) throw validationFailed(failures)
  const parsed = tokenActionMemberNames.flatMap((name) => {
    const value = body[name]
    return value === undefined ? [] : [[name, tokenActionMembers[name].parse(value)]]
  })
  return Object.fromEntries(parsed)
}

function failuresOf(body: Static<typeof NewTokenAction>, name: TokenActionMember): Failure[] {
  const what = whatIsWrong(body, name)
  return what === undefined ? [] : [{ detail: `The member ${name} ${what}.`, pointer: `/${name}` }]
}

function whatIsWrong(body: Static<typeof NewTokenAction>, name: TokenActionMember): string | undefined {
  const { kind, [name]: value } = body
  const check = tokenActions[kind].members[name]
  if (value === undefined) return check && `is missing; a ${kind} requires it`
  return check ? check(value, body) : `must be absent in a ${kind}`
}
