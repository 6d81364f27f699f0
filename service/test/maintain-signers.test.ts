import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Address } from 'viem'
import { LocalChain } from '../src/main/local-chain.ts'
import { deskDeployment } from '../src/tokens/chain/contracts.ts'
import { startNode } from './harness/process.ts'
import { TestInstallation } from './harness/service.ts'
import { SoftHsm, softHsmIsMissing } from './harness/soft-hsm.ts'

interface Printed {
  address: Address
  desk_address: Address
  key: string
}

describe('maintain: the keys that sign for a tenant', () => {
  let installation: TestInstallation
  let chain: LocalChain

  before(async () => {
    installation = await TestInstallation.create()
    chain = await LocalChain.open()
  })
  after(async () => {
    await chain?.stop()
    await installation?.end()
  })

  async function maintain(args: string[], settings: Record<string, string> = {}) {
    const chains = { CHAINS: `anvil=${chain.url} stopped=http://127.0.0.1:1` }
    const process = startNode(['./src/main/maintain.ts', ...args], { ...installation.settings, ...chains, ...settings })
    return { code: await process.ended, output: process.output.join('\n') }
  }
  async function maintainJson(args: string[], settings?: Record<string, string>): Promise<Printed> {
    const { code, output } = await maintain(['--json', ...args], settings)
    assert.equal(code, 0, output)
    return JSON.parse(output)
  }
  async function refused(args: string[], message: RegExp, settings?: Record<string, string>): Promise<void> {
    const { code, output } = await maintain(args, settings)
    assert.equal(code, 1, output)
    assert.match(output, message)
    assert.doesNotMatch(output, /at .*\.ts:\d+/)
  }
  const signersOf = async (tenant: string) => {
    const { rows } = await installation.owner((client) =>
      client.query('select kind, address from cell.chain_signer where tenant_id = $1', [tenant]),
    )
    return rows as { kind: string; address: string }[]
  }
  const on = (tenant: string, name = 'anvil') => ['--tenant', tenant, '--chain', name]

  test('create-signer makes a key, tells whom to give gas money, and asks for the contracts, once', async () => {
    const tenant = await installation.createTenant('Signs')
    const made = await maintainJson(['create-signer', ...on(tenant)])
    assert.equal(made.desk_address, deskDeployment(made.address).address)
    assert.deepEqual(await signersOf(tenant), [{ kind: 'sealed', address: made.address }])
    await refused(['create-signer', ...on(tenant)], /has a signer on anvil already: see show-signer/)

    const { rows: wishes } = await installation.owner((client) =>
      client.query(
        `select op.kind, op.dedupe_key, op.state, factory.kind as after
         from cell.chain_op op left join cell.chain_op factory on factory.id = op.depends_on
         where op.tenant_id = $1 order by op.created_at`,
        [tenant],
      ),
    )
    assert.deepEqual(wishes, [
      { kind: 'DEPLOY_FACTORY', dedupe_key: 'factory:anvil', state: 'QUEUED', after: null },
      { kind: 'DEPLOY_DESK', dedupe_key: 'desk:anvil', state: 'QUEUED', after: 'DEPLOY_FACTORY' },
    ])
    const { rows: audit } = await installation.owner((client) =>
      client.query('select actor_type, action, after from base.audit_log where tenant_id = $1', [tenant]),
    )
    const told = { chain: 'anvil', address: made.address, kind: 'sealed', desk_address: made.desk_address }
    assert.deepEqual(audit, [{ actor_type: 'maintenance', action: 'tenant.signer_created', after: told }])
  })

  test('show-signer tells the gas money and the numbers here and on the chain', async () => {
    const tenant = await installation.createTenant('Shown')
    await refused(['show-signer', ...on(tenant)], /has no signer on anvil: make one with create-signer/)
    const { address, desk_address: desk } = await maintainJson(['create-signer', ...on(tenant)])
    await chain.give(address, '1.5')
    assert.deepEqual(await maintainJson(['show-signer', ...on(tenant)]), {
      tenant_id: tenant,
      chain: 'anvil',
      address,
      key: 'sealed in the database',
      desk_address: desk,
      desk_is_deployed: false,
      next_number: 0,
      number_on_chain: 0,
      balance: '1.5',
    })
    await maintainJson(['create-signer', ...on(tenant, 'stopped')])
    await refused(['show-signer', ...on(tenant, 'stopped')], /The node of the chain does not answer/)
  })

  test('catch-up-signer takes the numbers to where the chain is, and never back', async () => {
    const tenant = await installation.createTenant('Restored')
    await refused(['catch-up-signer', ...on(tenant)], /has no signer on anvil: make one with create-signer/)
    await maintainJson(['create-signer', ...on(tenant)])
    const catchUp = () => maintainJson(['catch-up-signer', ...on(tenant)])
    const told = { tenant_id: tenant, chain: 'anvil', number_before: 0, next_number: 0 }
    assert.deepEqual(await catchUp(), told)
    const ahead = 'update cell.chain_signer set next_nonce = 7 where tenant_id = $1'
    await installation.owner((client) => client.query(ahead, [tenant]))
    assert.deepEqual(await catchUp(), { ...told, number_before: 7, next_number: 7 })
  })

  test('people get a table, and the sentence about gas money', async () => {
    const tenant = await installation.createTenant('Table')
    const { output } = await maintain(['create-signer', ...on(tenant)])
    assert.match(output, /│ address\s+│ 0x[0-9a-fA-F]{40}/)
    assert.match(output, /Give 0x[0-9a-fA-F]{40} gas money on anvil/)
  })

  test('a chain or tenant that does not exist, and a module without all it needs, end with a sentence', async () => {
    const tenant = await installation.createTenant('Refused')
    await refused(['create-signer', ...on(tenant, 'mars')], /There is no chain mars: CHAINS names anvil, stopped\./)
    await refused(['create-signer', ...on(tenant)], /CHAINS names none\./, { CHAINS: '' })
    await refused(['create-signer', ...on(crypto.randomUUID())], /There is no tenant/)
    const module = { PKCS11_MODULE: '/nowhere/module.so' }
    await refused(['create-signer', ...on(tenant)], /PKCS11_PIN is missing: with PKCS11_MODULE set/, module)
    const withPin = { ...module, PKCS11_PIN: '1234' }
    await refused(['create-signer', ...on(tenant)], /PKCS11_MODULE cannot be loaded: set it to the path/, withPin)
    assert.deepEqual(await signersOf(tenant), [])
  })

  test('with PKCS11_MODULE the key is in the module; a wrong PIN makes none', { skip: softHsmIsMissing }, async () => {
    const hsm = await SoftHsm.create()
    try {
      const tenant = await installation.createTenant('Module')
      const wrong = { ...hsm.settings, PKCS11_PIN: '4321' }
      await refused(['create-signer', ...on(tenant)], /PKCS11_PIN is not the PIN of the token: set the right/, wrong)
      assert.deepEqual(await signersOf(tenant), [])
      const made = await maintainJson(['create-signer', ...on(tenant)], hsm.settings)
      assert.equal(made.key, 'in the module')
      assert.deepEqual(await signersOf(tenant), [{ kind: 'pkcs11', address: made.address }])
      assert.equal((await maintainJson(['show-signer', ...on(tenant)])).key, 'in the module')
    } finally {
      await hsm.remove()
    }
  })
})
