import assert from 'node:assert/strict'
import { type Address, type Log, parseEventLogs, zeroAddress } from 'viem'
import { everyAbi } from './artifacts.ts'

/** Replays the events of a token and its desk one by one. Each event must keep the invariants. */
export class Ledger {
  supply = 0n
  cap = 0n
  readonly balances = new Map<Address, bigint>()
  readonly registered = new Set<Address>()
  readonly mintedRefs = new Set<string>()
  /** Number of occurrences of each event. */
  readonly seen: Record<string, number> = {}
  /** A transfer from an unregistered account, which the next event must explain as forced. */
  #unexplained: string | undefined
  #mintedUnits = 0n

  apply(logs: readonly Log[]): void {
    // oxlint-disable-next-line typescript/no-explicit-any -- the ABI of the artifacts is not typed
    for (const { eventName, args } of parseEventLogs({ abi: everyAbi, logs: [...logs] }) as any[]) {
      this.seen[eventName] = (this.seen[eventName] ?? 0) + 1
      if (eventName !== 'ForcedTransfer') this.#requireExplained()
      if (eventName === 'ForcedTransfer') this.#unexplained = undefined
      if (eventName === 'Transfer') this.#transfer(args)
      if (eventName === 'Registered') this.registered[args.registered ? 'add' : 'delete'](args.account)
      if (eventName === 'CapSet') this.cap = args.cap
      if (eventName === 'OrderMinted') this.#orderMinted(args)
      assert.ok(this.supply <= this.cap, `${eventName}: the supply ${this.supply} exceeds the cap ${this.cap}`)
    }
    this.#requireExplained()
    assert.equal(this.#mintedUnits, 0n, 'each mint belongs to an order')
  }

  #transfer({ from, to, value }: { from: Address; to: Address; value: bigint }): void {
    if (from === zeroAddress) this.#mintedUnits += value
    else if (to !== zeroAddress && !this.registered.has(from)) this.#unexplained = `${from} sent ${value} to ${to}`
    if (to !== zeroAddress) assert.ok(this.registered.has(to), `${to} received ${value} and is not registered`)
    this.#add(from, -value)
    this.#add(to, value)
  }

  #add(account: Address, value: bigint): void {
    if (account === zeroAddress) this.supply -= value
    else this.balances.set(account, (this.balances.get(account) ?? 0n) + value)
  }

  #orderMinted({ ref, amount }: { ref: string; amount: bigint }): void {
    assert.ok(!this.mintedRefs.has(ref), `the order ${ref} was minted twice`)
    this.mintedRefs.add(ref)
    this.#mintedUnits -= amount
  }

  #requireExplained(): void {
    assert.equal(this.#unexplained, undefined, 'only a forced transfer takes from an unregistered account')
  }
}
