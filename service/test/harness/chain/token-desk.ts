import type { Address, TransactionReceipt } from 'viem'
import {
  deployTokenCall,
  deskDeployment,
  factoryDeployment,
  type MintedOrder,
  mintCall,
  registrationCall,
  roleHash,
  tokenAddressOf,
  tokenCall,
} from '../../../src/tokens/chain/contracts.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { Anvil } from './anvil.ts'
import { readToken } from './read-token.ts'

/** A tenant's mint desk on the test's chain. One of anvil's accounts is its signer and the admin of all tokens. */
export class TokenDesk {
  readonly anvil: Anvil
  readonly signer: Address
  readonly address: Address

  private constructor(anvil: Anvil, signer: Address, address: Address) {
    this.anvil = anvil
    this.signer = signer
    this.address = address
  }

  /** Deploys the desk of this signer, and the factory if it does not exist. */
  static async deploy(anvil: Anvil, signerIndex = 0): Promise<TokenDesk> {
    const signer = await anvil.account(signerIndex)
    const desk = deskDeployment(signer)
    for (const { address, call } of [factoryDeployment, desk])
      if (!(await anvil.client.getCode({ address }))) await anvil.send(signer, call)
    return new TokenDesk(anvil, signer, desk.address)
  }

  tokenOf(offeringId: string): Address {
    return tokenAddressOf(this.address, offeringId)
  }

  async deployToken(offeringId: string): Promise<Address> {
    const terms = {
      name: 'Harbour Bond',
      symbol: 'HARB',
      decimals: 8,
      cap: 10n ** 18n,
      admin: this.signer,
      lockUpUntil: null,
    }
    await this.anvil.send(this.signer, deployTokenCall(this.address, offeringId, terms))
    const token = this.tokenOf(offeringId)
    for (const role of ['FORCE_TRANSFER', 'BURNER'] as const)
      await this.anvil.send(this.signer, tokenCall(token, 'grantRole', [roleHash(role), this.signer]))
    return token
  }

  /** Registers holders with the token and gives them gas. */
  async register(token: Address, ...holders: Address[]): Promise<TransactionReceipt> {
    for (const holder of holders) await this.anvil.fund(holder)
    return this.anvil.send(this.signer, registrationCall(this.address, token, holders, true))
  }

  mint(token: Address, ...orders: MintedOrder[]): Promise<TransactionReceipt> {
    return this.anvil.send(this.signer, mintCall(this.address, token, orders))
  }

  transfer(token: Address, from: Address, to: Address, units: bigint): Promise<TransactionReceipt> {
    return this.anvil.send(from, tokenCall(token, 'transfer', [to, units]))
  }

  burn(token: Address, from: Address, units: bigint): Promise<TransactionReceipt> {
    return this.anvil.send(this.signer, tokenCall(token, 'burn', [from, units]))
  }

  balanceOf(token: Address, holder: Address, block?: 'finalized'): Promise<bigint> {
    return readToken<bigint>(this.anvil, token, 'balanceOf', [holder], block ? { blockTag: block } : {})
  }

  /** Stores the desk as the tenant's, as the service does before it deploys one. */
  async attachDesk(installation: TestInstallation, tenantId: string, chain: string): Promise<void> {
    await installation.rows(
      `insert into cell.chain_signer (tenant_id, chain, address, key_backend, key_data, desk_address, admin_address)
         values ($1, $2, $3, 'sealed', '\\x00', $4, $3) on conflict do nothing`,
      [tenantId, chain, this.signer, this.address],
    )
  }

  /** Stores the token address of an offering. */
  async attachToken(installation: TestInstallation, tenantId: string, offeringId: string): Promise<void> {
    await installation.rows(`update cell.offering set token_address = $3 where tenant_id = $1 and id = $2`, [
      tenantId,
      offeringId,
      this.tokenOf(offeringId),
    ])
  }
}
