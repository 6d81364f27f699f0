// Commands for the keys that sign a tenant's transactions on a chain.
import { type Address, formatEther } from 'viem'
import type { Chain } from '../../tokens/chain/chain.ts'
import { catchUpSigner, readUsedNonces } from '../../tokens/signers/catch-up-signer.ts'
import { createSigner } from '../../tokens/signers/create-signer.ts'
import { findSigner } from '../../tokens/signers/signer.sql.ts'
import { Signers } from '../../tokens/signers/signers.ts'
import { chainAddress } from '../program/arguments.ts'
import {
  audit,
  chainsOfConfig,
  config,
  inTenant,
  MaintainError,
  maintenanceActor,
  print,
  printNote,
  withDatabases,
} from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

tenantCommand('create-signer', 'service')
  .description('create the key that signs for a tenant on a chain, in the first key backend that is configured')
  .requiredOption('--chain <name>', 'one of CHAINS')
  .option(
    '--admin <address>',
    'the admin of the desk and of new tokens, such as a multisig (default: the key)',
    chainAddress,
  )
  .action(async ({ tenant: tenantId, chain, admin }: { tenant: string; chain: string; admin?: Address }) => {
    chainNamed(chain)
    const created = await withDatabases(async (opened) => {
      const signers = Signers.open(config(), opened)
      try {
        return await createSigner(opened, signers, { tenantId, chain, admin, by: maintenanceActor })
      } finally {
        await signers.close()
      }
    })
    if (!created) throw new MaintainError(`Tenant ${tenantId} already has a signer on ${chain}: see show-signer.`)
    const { address, deskAddress, adminAddress, keyBackend } = created
    const contracts = { desk_address: deskAddress, admin_address: adminAddress }
    print({ tenant_id: tenantId, chain, address, ...contracts, key_backend: keyBackend })
    printNote(`Send gas to ${address} on ${chain}: the worker needs it to deploy the mint desk and to mint.`)
    if (adminAddress !== address)
      printNote(`${adminAddress} has to grant ${address} a role of a token before a token action that needs the role.`)
  })

tenantCommand('show-signer', 'service')
  .description('show the address that signs for a tenant on a chain, its gas balance and its next nonce')
  .requiredOption('--chain <name>', 'one of CHAINS')
  .action(async ({ tenant: tenantId, chain: name }: { tenant: string; chain: string }) => {
    const chain = chainNamed(name)
    const signer = await inTenant(tenantId, (tx) => findSigner(tx, { tenantId, chain: name }))
    if (!signer) throw new MaintainError(`Tenant ${tenantId} has no signer on ${name}: create one with create-signer.`)
    const { address, deskAddress, adminAddress, keyBackend, nextNonce } = signer
    const [balance, nonceOnChain, isDeployed] = await Promise.all([
      chain.balance(address),
      chain.transactionCount(address, 'latest'),
      chain.hasCode(deskAddress),
    ])
    print({
      tenant_id: tenantId,
      chain: name,
      address,
      key_backend: keyBackend,
      desk_address: deskAddress,
      desk_is_deployed: isDeployed,
      admin_address: adminAddress,
      next_nonce: nextNonce,
      nonce_on_chain: nonceOnChain,
      balance: formatEther(balance),
    })
  })

tenantCommand('catch-up-signer', 'service')
  .description(
    'raise the next nonce of a signer to the one the chain expects, after a database was restored from a backup',
  )
  .requiredOption('--chain <name>', 'one of CHAINS')
  .action(async ({ tenant: tenantId, chain: name }: { tenant: string; chain: string }) => {
    const chain = chainNamed(name)
    const key = { tenantId, chain: name }
    const signer = await inTenant(tenantId, (tx) => findSigner(tx, key))
    const used = signer && (await readUsedNonces(chain, signer.address))
    const nonces = await inTenant(tenantId, async (tx) => {
      const caughtUp = used && (await catchUpSigner(tx, key, used))
      const subject = { type: 'tenant', id: tenantId }
      if (caughtUp && caughtUp.after !== caughtUp.before)
        await audit(tx, {
          action: 'tenant.signer_caught_up',
          subject,
          before: { chain: name, next_nonce: caughtUp.before },
          after: { chain: name, next_nonce: caughtUp.after },
        })
      return caughtUp
    })
    if (!nonces) throw new MaintainError(`Tenant ${tenantId} has no signer on ${name}: create one with create-signer.`)
    print({ tenant_id: tenantId, chain: name, previous_nonce: nonces.before, next_nonce: nonces.after })
    printNote('Chain ops that have ended in ALARM can be retried in the operator API.')
  })

/** Rejects a misspelled name, which would enqueue chain ops that no worker executes. */
function chainNamed(name: string): Chain {
  const chain = chainsOfConfig().get(name)
  if (!chain)
    throw new MaintainError(
      `Chain ${name} is not in CHAINS, which lists ${[...config().chains.keys()].join(', ') || 'none'}.`,
    )
  return chain
}
