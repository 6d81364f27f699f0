// The commands about the keys that sign for a tenant on a chain.
import { formatEther } from 'viem'
import { Placement } from '../platform/db/placement.ts'
import { Vaults } from '../platform/db/vault.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { Chain } from '../tokens/chain/chain.ts'
import { catchUpSigner } from '../tokens/signers/catch-up-signer.ts'
import { createSigner } from '../tokens/signers/create-signer.ts'
import { Pkcs11Module } from '../tokens/signers/pkcs11-module.ts'
import { findSigner } from '../tokens/signers/signer.sql.ts'
import { uuid } from './maintain-arguments.ts'
import { config, inTenant, maintenance, print, program, Refused, remark, withDatabases } from './maintain-program.ts'

program
  .command('create-signer')
  .description('give a tenant a key of its own on a chain: sealed in the database, or in the module of PKCS11_MODULE')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--chain <name>', 'one of CHAINS')
  .action(async ({ tenant: tenantId, chain }: { tenant: string; chain: string }) => {
    nodeOf(chain)
    const module = Pkcs11Module.of(config())
    const keys = { vaults: new Vaults(config().dataMasterKeys), module }
    const wanted = { tenantId, chain, by: maintenance }
    const made = await withDatabases((databases) =>
      createSigner({ databases, placement: new Placement(databases) }, keys, wanted),
    )
    await module?.close()
    if ('refused' in made) throw new Refused(`Tenant ${tenantId} has a signer on ${chain} already: see show-signer.`)
    const kind = module ? 'in the module' : 'sealed in the database'
    print({ tenant_id: tenantId, chain, address: made.address, desk_address: made.deskAddress, key: kind })
    remark(`Give ${made.address} gas money on ${chain}: with it the worker deploys the desk, and mints.`)
  })

program
  .command('show-signer')
  .description('the address that signs for a tenant on a chain, its gas money, and how far its numbers are')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--chain <name>', 'one of CHAINS')
  .action(async ({ tenant: tenantId, chain: name }: { tenant: string; chain: string }) => {
    const chain = new Chain(name, nodeOf(name))
    const signer = await inTenant(tenantId, (tx) => findSigner(tx, { tenantId, chain: name }))
    if (!signer) throw new Refused(`Tenant ${tenantId} has no signer on ${name}: make one with create-signer.`)
    const { address, deskAddress, kind, nextNonce } = signer
    const [balance, numberOnChain, isDeployed] = await Promise.all([
      chain.balance(address),
      chain.transactionCount(address, 'latest'),
      chain.hasCode(deskAddress),
    ])
    print({
      tenant_id: tenantId,
      chain: name,
      address,
      key: kind === 'pkcs11' ? 'in the module' : 'sealed in the database',
      desk_address: deskAddress,
      desk_is_deployed: isDeployed,
      next_number: nextNonce,
      number_on_chain: numberOnChain,
      balance: formatEther(balance),
    })
  })

program
  .command('catch-up-signer')
  .description('take the numbers of a signer to where the chain is: after a database was restored from a backup')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--chain <name>', 'one of CHAINS')
  .action(async ({ tenant: tenantId, chain: name }: { tenant: string; chain: string }) => {
    const chain = new Chain(name, nodeOf(name))
    const numbers = await inTenant(tenantId, async (tx) => {
      const caughtUp = await catchUpSigner(tx, chain, { tenantId, chain: name })
      const subject = { type: 'tenant', id: tenantId }
      if (caughtUp && caughtUp.after !== caughtUp.before)
        await appendAudit(tx, maintenance, {
          action: 'tenant.signer_caught_up',
          subject,
          before: { chain: name, next_number: caughtUp.before },
          after: { chain: name, next_number: caughtUp.after },
        })
      return caughtUp
    })
    if (!numbers) throw new Refused(`Tenant ${tenantId} has no signer on ${name}: make one with create-signer.`)
    print({ tenant_id: tenantId, chain: name, number_before: numbers.before, next_number: numbers.after })
    remark('Ops that ended in an alarm meanwhile can be tried again in the operator API.')
  })

/** A name with a typing error in it would become a lane that nobody works on. */
function nodeOf(chain: string): string {
  const url = config().chains.get(chain)
  if (url === undefined)
    throw new Refused(`There is no chain ${chain}: CHAINS names ${[...config().chains.keys()].join(', ') || 'none'}.`)
  return url
}
