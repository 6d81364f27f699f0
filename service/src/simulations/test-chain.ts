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
import { decodeRevertReason, tokenCall } from '../tokens/chain/contracts.ts'
import { simulationErrors } from './simulation.errors.ts'

const timeoutMs = 20_000
const receiptTimeoutMs = 60_000
// Storage slot of Pausable's flag, openzeppelin.storage.Pausable (ERC-7201). The flag is the lowest byte.
const pausedSlot: Hex = '0xcd5ed15c6e187e77e9aee88184c21f4f2182ab5827cb3b7e07fbedcd63f03300'

/**
 * A development chain that simulations can manipulate: replace blocks, pause a token without a transaction, create gas
 * balances. These are RPC methods of anvil only, so they fail on any other chain.
 */
export class TestChain {
  readonly #name: string
  readonly #transport: ReturnType<typeof http>
  readonly #client

  constructor(name: string, url: string) {
    this.#name = name
    this.#transport = http(url, { retryCount: 0, timeout: timeoutMs })
    const client = createTestClient({ mode: 'anvil', transport: this.#transport, pollingInterval: 100 })
    this.#client = client.extend(publicActions)
  }

  /** Replaces the last blocks with empty ones. */
  async reorg(depth: number): Promise<void> {
    await this.#call(() => this.#client.request({ method: 'anvil_reorg', params: [depth, []] } as never))
  }

  /** While paused, the token contract reverts every mint and transfer. */
  async setPaused(token: Address, isPaused: boolean): Promise<void> {
    await this.#call(async () => {
      const slot = pausedSlot
      const word = BigInt((await this.#client.getStorageAt({ address: token, slot })) ?? '0x0')
      const changed = (word & ~0xffn) | (isPaused ? 1n : 0n)
      await this.#client.setStorageAt({ address: token, index: slot, value: numberToHex(changed, { size: 32 }) })
      const { data } = await this.#client.call(tokenCall(token, 'paused', []))
      if (BigInt(data ?? '0x0') !== (isPaused ? 1n : 0n)) throw new Error('the storage slot of the pause flag is wrong')
    })
  }

  /** Registers an address as a holder, as the desk does before a mint. */
  async register(token: Address, desk: Address, holder: Address): Promise<void> {
    await this.#call(async () => {
      const { data } = await this.#client.call(tokenCall(token, 'canReceive', [holder]))
      if (BigInt(data ?? '0x0') === 1n) return
      // Sent by the desk, not by the tenant's signer, whose nonces only the database allocates.
      await this.#client.impersonateAccount({ address: desk })
      await this.#client.setBalance({ address: desk, value: parseEther('1') })
      const call = tokenCall(token, 'register', [[holder]])
      await this.#waitForReceipt(await this.#client.sendUnsignedTransaction({ from: desk, ...call }))
      await this.#client.stopImpersonatingAccount({ address: desk })
    })
  }

  /** Sends tokens with the holder's private key and waits for the receipt. */
  async transfer(token: Address, key: Hex, to: Address, units: bigint): Promise<Hash> {
    const account = privateKeyToAccount(key)
    const call = tokenCall(token, 'transfer', [to, units])
    return this.#call(async () => {
      await this.#client.setBalance({ address: account.address, value: parseEther('1') })
      const wallet = createWalletClient({ account, transport: this.#transport })
      return this.#waitForReceipt(await wallet.sendTransaction({ ...call, chain: null }))
    })
  }

  async #waitForReceipt(hash: Hash): Promise<Hash> {
    const { status } = await this.#client.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs })
    if (status !== 'success') throw new ApiError(simulationErrors.simulation_not_possible, 'The transaction reverted.')
    return hash
  }

  async #call<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call()
    } catch (error) {
      if (error instanceof ApiError) throw error
      const revert = revertDataOf(error)
      throw new ApiError(
        simulationErrors.simulation_not_possible,
        revert
          ? `The contract rejects the transaction: ${decodeRevertReason(revert)}.`
          : `The chain ${this.#name} does not support this. Simulations require anvil, which npm run dev starts.`,
      )
    }
  }
}

/** Finds the revert data, wherever viem put it in the chain of causes. */
function revertDataOf(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  const cause = error.walk((one) => /^0x[0-9a-f]{8,}$/.test(String((one as { data?: unknown }).data)))
  return (cause as { data?: Hex } | null)?.data
}
