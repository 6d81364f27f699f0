import { type Address, createWalletClient, encodeFunctionData, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../../src/tokens/chain/contracts.ts'
import type { OperatorClient } from '../callers/operator-client.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import { until } from '../wait.ts'
import type { PacedChain } from './paced-chain.ts'

/** An investor with a private key, who signs challenges and sends tokens. */
export class WalletOwner {
  readonly #key = privateKeyToAccount(generatePrivateKey())

  get address(): Address {
    return this.#key.address
  }

  sign(message: string): Promise<string> {
    return this.#key.signMessage({ message })
  }

  /** Transfers tokens and waits until the transaction is mined. */
  async transfer(chain: PacedChain, token: string, to: string, units: bigint): Promise<void> {
    const wallet = createWalletClient({ account: this.#key, transport: http(chain.url) })
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, units] })
    const hash = await wallet.sendTransaction({ to: token as Address, data, chain: null })
    await until('the transfer is mined', async () => {
      const receipt = await chain.client.getTransactionReceipt({ hash }).catch(() => undefined)
      if (receipt?.status === 'reverted') throw new Error('the transfer was reverted')
      return receipt !== undefined
    })
  }

  /** Returns the request body that registers this owner's wallet. */
  body(change: object = {}): object {
    return {
      public_address: this.address,
      name: 'Main wallet',
      provider: 'METAMASK',
      type: 'BROWSER_WALLET',
      ...change,
    }
  }

  async register(operator: OperatorClient, accountId: string, change: object = {}): Promise<RegisteredWallet> {
    const response = await operator.post(`/accounts/${accountId}/wallets`, this.body(change))
    if (response.status !== 201) throw new Error(response.text)
    const { id, challenge } = response.body
    return new RegisteredWallet(operator, this, `/accounts/${accountId}/wallets/${id}`, id, challenge)
  }
}

/** A registered wallet and its latest challenge. */
export class RegisteredWallet {
  readonly id: string
  readonly path: string
  challenge: string
  readonly #operator: OperatorClient
  readonly #owner: WalletOwner

  constructor(operator: OperatorClient, owner: WalletOwner, path: string, id: string, challenge: string) {
    this.#operator = operator
    this.#owner = owner
    this.path = path
    this.id = id
    this.challenge = challenge
  }

  async prove(message = this.challenge): Promise<ApiResponse> {
    const signature = await this.#owner.sign(message)
    return this.#operator.post(`${this.path}/prove`, { message, signature })
  }

  async reopen(): Promise<ApiResponse> {
    const response = await this.#operator.post(`${this.path}/challenge`)
    if (response.status === 200) this.challenge = response.body.challenge
    return response
  }

  decide(move: 'suspend' | 'resume' | 'retire'): Promise<ApiResponse> {
    return this.#operator.post(`${this.path}/${move}`, { reason: `to ${move}` })
  }

  async read(): Promise<ApiResponse['body']> {
    return (await this.#operator.get(this.path)).body
  }
}
