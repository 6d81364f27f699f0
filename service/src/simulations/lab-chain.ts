import {
  type Address,
  BaseError,
  createTestClient,
  createWalletClient,
  type Hash,
  type Hex,
  http,
  numberToHex,
  parseEther,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { reasonOf, tokenCall } from '../tokens/chain/contracts.ts'
import { simulationErrors } from './simulation.errors.ts'

const answerMs = 5_000
const minedMs = 15_000
// Where the token keeps whether it is paused: behind what ERC20 and AccessControl keep, in the lowest byte.
const pausedSlot = 6

/**
 * A chain of one's own on which the impossible can be done: blocks taken back, a token paused by nobody, gas money out
 * of nothing. Only anvil does these things, so nothing here could be done to a chain of others.
 */
export class LabChain {
  readonly #name: string
  readonly #transport: ReturnType<typeof http>
  readonly #client

  constructor(name: string, url: string) {
    this.#name = name
    this.#transport = http(url, { retryCount: 0, timeout: answerMs })
    const client = createTestClient({ mode: 'anvil', transport: this.#transport, pollingInterval: 100 })
    this.#client = client.extend(publicActions)
  }

  /** Empty blocks take the place of the last ones: what was in those has not happened. */
  async reorganise(depth: number): Promise<void> {
    await this.#ask(() => this.#client.request({ method: 'anvil_reorg', params: [depth, []] } as never))
  }

  /** Every mint and transfer of the token is refused by the contract itself, or no longer. */
  async setPaused(token: Address, isPaused: boolean): Promise<void> {
    await this.#ask(async () => {
      const slot = numberToHex(pausedSlot, { size: 32 })
      const word = BigInt((await this.#client.getStorageAt({ address: token, slot })) ?? '0x0')
      const changed = (word & ~0xffn) | (isPaused ? 1n : 0n)
      await this.#client.setStorageAt({ address: token, index: slot, value: numberToHex(changed, { size: 32 }) })
      const { data } = await this.#client.call(tokenCall(token, 'paused', []))
      if (BigInt(data ?? '0x0') !== (isPaused ? 1n : 0n)) throw new Error('the token keeps its pause elsewhere')
    })
  }

  /** The token lets this address receive, as the desk sees to before a mint. */
  async register(token: Address, desk: Address, holder: Address): Promise<void> {
    await this.#ask(async () => {
      const { data } = await this.#client.call(tokenCall(token, 'canReceive', [holder]))
      if (BigInt(data ?? '0x0') === 1n) return
      // As the desk and not as the tenant's signer, whose numbers are the database's to give.
      await this.#client.impersonateAccount({ address: desk })
      await this.#client.setBalance({ address: desk, value: parseEther('1') })
      const call = tokenCall(token, 'register', [[holder]])
      await this.#mined(await this.#client.sendUnsignedTransaction({ from: desk, ...call }))
      await this.#client.stopImpersonatingAccount({ address: desk })
    })
  }

  /** Sends tokens with the key of their holder, and waits until that is in a block. */
  async transfer(token: Address, key: Hex, to: Address, units: bigint): Promise<Hash> {
    const account = privateKeyToAccount(key)
    const call = tokenCall(token, 'transfer', [to, units])
    return this.#ask(async () => {
      await this.#client.setBalance({ address: account.address, value: parseEther('1') })
      const wallet = createWalletClient({ account, transport: this.#transport })
      return this.#mined(await wallet.sendTransaction({ ...call, chain: null }))
    })
  }

  async #mined(hash: Hash): Promise<Hash> {
    const { status } = await this.#client.waitForTransactionReceipt({ hash, timeout: minedMs })
    if (status !== 'success')
      throw new ApiError(simulationErrors.simulation_not_possible, 'The contract has refused it.')
    return hash
  }

  async #ask<Result>(question: () => Promise<Result>): Promise<Result> {
    try {
      return await question()
    } catch (error) {
      if (error instanceof ApiError) throw error
      const revert = revertDataOf(error)
      throw new ApiError(
        simulationErrors.simulation_not_possible,
        revert
          ? `The contract refuses it: ${reasonOf(revert)}.`
          : `The chain ${this.#name} does not do it. Simulations need anvil, as npm run dev starts it.`,
      )
    }
  }
}

/** What a contract said, wherever in the error viem has put it. */
function revertDataOf(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  const holder = error.walk((one) => /^0x[0-9a-f]{8,}$/.test(String((one as { data?: unknown }).data)))
  return (holder as { data?: Hex } | null)?.data
}
