import type { Static } from 'typebox'
import { getAddress, isAddress } from 'viem'
import { type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import type { TokenActionKind } from '../chain-ops/chain-op.ts'
import type { NewTokenAction } from './token-action.schema.ts'
import type { TokenActionDetails } from './token-action.sql.ts'

type Member = keyof TokenActionDetails

/** The members that each kind requires. All others must be absent. */
const membersOf: Readonly<Record<TokenActionKind, readonly Member[]>> = {
  FREEZE: ['wallet_address', 'units'],
  FORCED_TRANSFER: ['wallet_address', 'to_address', 'units'],
  BURN: ['wallet_address', 'units'],
  PAUSE: [],
  UNPAUSE: [],
  SET_CAP: ['units'],
}
const members: readonly Member[] = ['wallet_address', 'to_address', 'units']

/** Checks the members of a proposed action and normalizes its addresses. Reports all failures at once. */
export function parseTokenActionDetails(body: Static<typeof NewTokenAction>): TokenActionDetails {
  const failures = members.flatMap((member) => failuresOf(body, member))
  if (failures.length > 0) throw validationFailed(failures)
  const { wallet_address: wallet, to_address: to, units } = body
  return {
    ...(wallet === undefined ? {} : { wallet_address: getAddress(wallet) }),
    ...(to === undefined ? {} : { to_address: getAddress(to) }),
    ...(units === undefined ? {} : { units }),
  }
}

function failuresOf(body: Static<typeof NewTokenAction>, member: Member): Failure[] {
  const { kind } = body
  const value = body[member]
  const fail = (what: string) => [{ detail: `The member ${member} ${what}.`, pointer: `/${member}` }]
  const isRequired = membersOf[kind].includes(member)
  if (value === undefined) return isRequired ? fail(`is missing; a ${kind} requires it`) : []
  if (!isRequired) return fail(`must be absent in a ${kind}`)
  if (member === 'units') return value === '0' && kind !== 'FREEZE' ? fail('must be at least 1') : []
  // A mixed-case address contains a checksum, so this finds typos.
  if (!isAddress(value)) return fail('must be an address with a valid EIP-55 checksum, or all in lower case')
  if (BigInt(value) === 0n) return fail('must not be the zero address')
  const isToItself = member === 'to_address' && value.toLowerCase() === body.wallet_address?.toLowerCase()
  return isToItself ? fail('must differ from wallet_address') : []
}
