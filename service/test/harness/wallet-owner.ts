import { type Address, createWalletClient, encodeFunctionData, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../src/tokens/chain/contracts.ts'
import type { Answer } from './api-client.ts'
import type { OperatorClient } from './operator-client.ts'
import type { PacedChain } from './paced-chain.ts'
import { until } from './wait.ts'

/** Somebody with a key of their own, who signs what they are asked to. */
export class WalletOwner {
  readonly #key = privateKeyToAccount(generatePrivateKey())

  get address(): string {
    return this.#key.address
  }

  sign(message: string): Promise<string> {
    return this.#key.signMessage({ message })
  }

  /** Sends tokens to somebody, and waits until that is in a block. */
  async transfer(chain: PacedChain, token: string, to: string, units: bigint): Promise<void> {
    const wallet = createWalletClient({ account: this.#key, transport: http(chain.url) })
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, units] })
    const hash = await wallet.sendTransaction({ to: token as Address, data, chain: null })
    await until('the transfer is in a block', async () => {
      const receipt = await chain.client.getTransactionReceipt({ hash }).catch(() => undefined)
      if (receipt?.status === 'reverted') throw new Error('the transfer was reverted')
      return receipt !== undefined
    })
  }

  /** What registers this owner's wallet. */
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
    const answer = await operator.post(`/accounts/${accountId}/wallets`, this.body(change))
    if (answer.status !== 201) throw new Error(answer.text)
    const { id, challenge } = answer.body
    return new RegisteredWallet(operator, this, `/accounts/${accountId}/wallets/${id}`, id, challenge)
  }
}

/** A wallet and the last challenge that it was given. */
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

  async prove(message = this.challenge): Promise<Answer> {
    const signature = await this.#owner.sign(message)
    return this.#operator.post(`${this.path}/prove`, { message, signature })
  }

  async reopen(): Promise<Answer> {
    const answer = await this.#operator.post(`${this.path}/challenge`)
    if (answer.status === 200) this.challenge = answer.body.challenge
    return answer
  }

  decide(move: 'suspend' | 'resume' | 'retire'): Promise<Answer> {
    return this.#operator.post(`${this.path}/${move}`, { reason: `to ${move}` })
  }

  async read(): Promise<Answer['body']> {
    return (await this.#operator.get(this.path)).body
  }
}
