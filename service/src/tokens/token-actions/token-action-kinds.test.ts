import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionNameOf, roleHash, tokenCall } from '../chain/contracts.ts'
import { tokenActionKinds } from '../chain-ops/chain-op.ts'
import { type TokenActionDetails, tokenActions } from './token-action-kinds.ts'

const token = '0x52908400098527886E0F7030069857D2E4169EE7'

test('each kind of token action calls its own function, with a role of the contract and the members it requires', () => {
  const details = { wallet_address: token, to_address: token, units: '1' } satisfies Required<TokenActionDetails>
  const called = tokenActionKinds.map((kind) => {
    const { role, members, call } = tokenActions[kind]
    roleHash(role)
    const required = Object.fromEntries(Object.entries(details).filter(([member]) => member in members))
    const [name, ...args] = call(required as Required<TokenActionDetails>)
    return functionNameOf(tokenCall(token, name, args).data)
  })
  assert.equal(new Set(called).size, tokenActionKinds.length, called.join(', '))
})
