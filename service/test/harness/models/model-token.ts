import { type Address, zeroAddress } from 'viem'
import type { TokenLog } from '../../../src/tokens/logs/token-log.sql.ts'

/** A log that a call of the token emits, before it is in a block. */
export type EmittedLog = Pick<TokenLog, 'kind' | 'from' | 'to' | 'units' | 'orderId'>

/** The rules of PermissionedToken.sol in memory. A call returns its logs, or undefined if it reverts. */
export class ModelToken {
  readonly balances: Map<Address, bigint>
  readonly frozen: Map<Address, bigint>
  readonly registered: Set<Address>

  constructor({ balances, frozen, registered }: Partial<ModelToken> = {}) {
    this.balances = new Map(balances)
    this.frozen = new Map(frozen)
    this.registered = new Set(registered)
  }

  balanceOf(address: Address): bigint {
    return this.balances.get(address) ?? 0n
  }

  frozenOf(address: Address): bigint {
    return this.frozen.get(address) ?? 0n
  }

  unfrozenOf(address: Address): bigint {
    const left = this.balanceOf(address) - this.frozenOf(address)
    return left > 0n ? left : 0n
  }

  get supply(): bigint {
    return [...this.balances.values()].reduce((sum, units) => sum + units, 0n)
  }

  mint(to: Address, units: bigint, orderId: string): EmittedLog[] {
    this.#add(to, units)
    return [
      { kind: 'transfer', from: null, to, units, orderId: null },
      { kind: 'order_minted', from: null, to, units, orderId },
    ]
  }

  transfer(from: Address, to: Address, units: bigint): EmittedLog[] | undefined {
    if (!this.registered.has(from) || !this.registered.has(to) || units > this.unfrozenOf(from)) return undefined
    return this.#move(from, to, units)
  }

  forcedTransfer(from: Address, to: Address, units: bigint): EmittedLog[] | undefined {
    if (!this.registered.has(to) || units > this.balanceOf(from)) return undefined
    return [...this.#release(from, units), ...this.#move(from, to, units)]
  }

  burn(from: Address, units: bigint): EmittedLog[] | undefined {
    if (units > this.balanceOf(from)) return undefined
    const released = this.#release(from, units)
    this.#add(from, -units)
    return [...released, { kind: 'transfer', from, to: zeroAddress, units, orderId: null }]
  }

  setFrozen(address: Address, units: bigint): EmittedLog[] {
    this.frozen.set(address, units)
    return [{ kind: 'frozen', from: null, to: address, units, orderId: null }]
  }

  #release(from: Address, units: bigint): EmittedLog[] {
    const missing = units - this.unfrozenOf(from)
    return missing > 0n ? this.setFrozen(from, this.frozenOf(from) - missing) : []
  }

  #move(from: Address, to: Address, units: bigint): EmittedLog[] {
    this.#add(from, -units)
    this.#add(to, units)
    return [{ kind: 'transfer', from, to, units, orderId: null }]
  }

  #add(address: Address, units: bigint): void {
    this.balances.set(address, this.balanceOf(address) + units)
  }
}
