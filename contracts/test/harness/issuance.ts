import { type Address, keccak256, toHex } from 'viem'
import { mintDesk, permissionedToken, tokenFactory } from './artifacts.ts'
import { Chain, type Contract } from './chain.ts'

/** Roles that no account has until the admin grants them. */
const officerRoles = ['FREEZER', 'FORCE_TRANSFER', 'BURNER', 'PAUSER', 'CAP_SETTER', 'LOCK_UP_SETTER'] as const

export type Role = 'MINTER' | 'REGISTRAR' | (typeof officerRoles)[number]

/** A factory and a tenant's desk on a separate chain, with a different account for each role. */
export class Issuance {
  readonly chain: Chain
  readonly factory: Contract
  readonly desk: Contract
  readonly admin: Address
  readonly operator: Address
  /** The account with all roles that the desk does not have. */
  readonly officer: Address
  readonly alice: Address
  readonly bob: Address
  readonly carol: Address
  readonly stranger: Address
  #offerings = 0

  private constructor(chain: Chain, factory: Contract, desk: Contract) {
    this.chain = chain
    this.factory = factory
    this.desk = desk
    ;[this.admin, this.operator, this.officer, this.alice, this.bob, this.carol, this.stranger] = chain.accounts
  }

  static async start(): Promise<Issuance> {
    const chain = await Chain.start()
    const [admin, operator] = chain.accounts
    const factory = await chain.deploy(tokenFactory, [], admin)
    return new Issuance(chain, factory, await chain.deploy(mintDesk, [admin, operator], admin))
  }

  terms(changes: Partial<Terms> = {}): Terms {
    const { admin } = this
    const terms = { name: 'Harbour Bond 2031', symbol: 'HARB', decimals: 8, cap: 10n ** 15n, admin, lockUpUntil: 0n }
    return { ...terms, ...changes }
  }

  newOffering(): `0x${string}` {
    this.#offerings += 1
    return refOf(`offering ${this.#offerings}`)
  }

  /** Deploys the token of a new offering. */
  async deployToken(changes: Partial<Terms> = {}): Promise<Contract> {
    const offering = this.newOffering()
    await this.chain.send(this.factory, 'deploy', [this.desk.address, offering, this.terms(changes)], this.operator)
    const address = await this.chain.read<Address>(this.factory, 'tokenOf', [this.desk.address, offering])
    return { address, abi: permissionedToken.abi }
  }

  /** Deploys a token, grants roles to the officer, registers Alice and Bob, and mints 100 to Alice. */
  async token(changes: Partial<Terms> = {}): Promise<Contract> {
    const token = await this.deployToken(changes)
    for (const role of officerRoles) await this.chain.send(token, 'grantRole', [roleOf(role), this.officer], this.admin)
    await this.register(token, this.alice, this.bob)
    await this.mint(token, this.alice, 100n)
    return token
  }

  async register(token: Contract, ...accounts: Address[]) {
    return this.chain.send(this.desk, 'register', [token.address, accounts], this.operator)
  }

  async mint(token: Contract, to: Address, amount: bigint) {
    const order = { ref: refOf(`mint ${await this.chain.client.getBlockNumber({ cacheTime: 0 })}`), to, amount }
    return this.chain.send(this.desk, 'mint', [token.address, [order]], this.operator)
  }

  async balances(token: Contract, ...accounts: Address[]): Promise<bigint[]> {
    return Promise.all(accounts.map((account) => this.chain.read<bigint>(token, 'balanceOf', [account])))
  }
}

export interface Terms {
  name: string
  symbol: string
  decimals: number
  cap: bigint
  admin: Address
  lockUpUntil: bigint
}

export const roleOf = (role: Role | 'OPERATOR') => keccak256(toHex(role))
export const refOf = (text: string) => keccak256(toHex(text))
