import { fileURLToPath } from 'node:url'
import { type Abi, type Address, createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { compileContracts } from '../../../../contracts/compile-contracts.ts'
import type { PacedChain } from './paced-chain.ts'

const folder = fileURLToPath(new URL('../../../../contracts/test/harness/', import.meta.url))

/** Deploys a contract wallet of this owner, which is final four blocks later. */
export async function deployContractWallet(chain: PacedChain, owner: string): Promise<Address> {
  const { abi, bytecode }: { abi: Abi; bytecode: Hex } = JSON.parse(
    compileContracts(folder).get('ContractWallet.json') ?? '{}',
  )
  const deployer = privateKeyToAccount(generatePrivateKey())
  await chain.fundGas(deployer.address)
  const client = createWalletClient({ account: deployer, transport: http(chain.url) })
  const hash = await client.deployContract({ abi, bytecode, args: [owner], chain: null })
  await chain.mine()
  const { contractAddress } = await chain.client.getTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the contract wallet was not deployed')
  return contractAddress
}
