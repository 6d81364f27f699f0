import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { LocalChain } from '../src/dev/local-chain.ts'
import { deskDeployment, factoryDeployment } from '../src/tokens/chain/contracts.ts'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { SoftHsm, softHsmIsMissing } from './harness/chain/soft-hsm.ts'
import { runMaintain, runMaintainJson } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

interface Printed {
  address: Address
  desk_address: Address
  admin_address: Address
  key_backend: string
}

describe('maintain: signers', async () => {
  const installation = await TestInstallation.create()
  const chain = await LocalChain.open()
  after(async () => {
    await chain?.stop()
    await installation?.end()
  })

  const all = (settings: Record<string, string>) => ({
    ...installation.settings,
    CHAINS: `anvil=${chain.url} stopped:1=http://127.0.0.1:1`,
    ...settings,
  })
  const maintain = (command: string, settings: Record<string, string> = {}) => runMaintain(command, all(settings))
  const maintainJson = (command: string, settings: Record<string, string> = {}): Promise<Printed> =>
    runMaintainJson(command, all(settings))
  async function rejected(command: string, message: RegExp, settings?: Record<string, string>): Promise<void> {
    const { code, output } = await maintain(command, settings)
    assert.equal(code, 1, output)
    assert.match(output, message)
    assert.doesNotMatch(output, /at .*\.ts:\d+/)
  }
  const signersOf = async (tenant: string) => {
    const rows = await installation.rows('select key_backend, address from cell.chain_signer where tenant_id = $1', [
      tenant,
    ])
    return rows as { key_backend: string; address: string }[]
  }
  const on = (tenant: string, name = 'anvil') => `--tenant ${tenant} --chain ${name}`

  test('create-signer creates one key per chain, and enqueues the deployment of the contracts', async () => {
    const tenant = await installation.createTenant('Signs')
    const created = await maintainJson(`create-signer ${on(tenant)}`)
    assert.equal(created.desk_address, deskDeployment(created.address).address)
    assert.deepEqual(await signersOf(tenant), [{ key_backend: 'sealed', address: created.address }])
    await rejected(`create-signer ${on(tenant)}`, /already has a signer on anvil: see show-signer/)

    const ops = await installation.rows(
      `select op.kind, op.dedupe_key, op.state, factory.kind as after
         from cell.chain_op op left join cell.chain_op factory on factory.id = op.depends_on
         where op.tenant_id = $1 order by op.created_at`,
      [tenant],
    )
    assert.deepEqual(ops, [
      {
        kind: 'DEPLOY_FACTORY',
        dedupe_key: `factory:anvil:${factoryDeployment.address}`,
        state: 'QUEUED',
        after: null,
      },
      { kind: 'DEPLOY_DESK', dedupe_key: 'desk:anvil', state: 'QUEUED', after: 'DEPLOY_FACTORY' },
    ])
    const audit = await installation.rows('select actor_type, action, after from base.audit_log where tenant_id = $1', [
      tenant,
    ])
    const { address, desk_address: deskAddress } = created
    const desk = { desk_address: deskAddress, admin_address: address }
    const signer = { chain: 'anvil', address, key_backend: 'sealed', ...desk }
    assert.deepEqual(audit, [{ actor_type: 'maintenance', action: 'tenant.signer_created', after: signer }])
  })

  test('create-signer --admin makes another account the admin of the desk, and rejects anything but an address', async () => {
    const tenant = await installation.createTenant('Multisig')
    const admin = '0x52908400098527886E0F7030069857D2E4169EE7'
    for (const wrong of ['0x52908400098527886e0F7030069857D2E4169EE7', `0x${'0'.repeat(40)}`, 'treasury'])
      await rejected(`create-signer ${on(tenant)} --admin ${wrong}`, /must be an address with a valid EIP-55 checksum/)
    const created = await maintainJson(`create-signer ${on(tenant)} --admin ${admin.toLowerCase()}`)
    assert.equal(created.admin_address, admin)
    assert.equal(created.desk_address, deskDeployment(created.address, admin).address)
    assert.notEqual(created.desk_address, deskDeployment(created.address).address)
    assert.equal((await maintainJson(`show-signer ${on(tenant)}`)).admin_address, admin)
  })

  test('show-signer shows the gas balance, the next nonce and the nonce on the chain', async () => {
    const tenant = await installation.createTenant('Shown')
    await rejected(`show-signer ${on(tenant)}`, /has no signer on anvil: create one with create-signer/)
    const { address, desk_address: desk } = await maintainJson(`create-signer ${on(tenant)}`)
    await chain.setBalance(address, '1.5')
    assert.deepEqual(await maintainJson(`show-signer ${on(tenant)}`), {
      tenant_id: tenant,
      chain: 'anvil',
      address,
      key_backend: 'sealed',
      desk_address: desk,
      desk_is_deployed: false,
      admin_address: address,
      next_nonce: 0,
      nonce_on_chain: 0,
      balance: '1.5',
    })
    await maintainJson(`create-signer ${on(tenant, 'stopped')}`)
    await rejected(`show-signer ${on(tenant, 'stopped')}`, /The node of the chain does not respond/)
  })

  test('a command waits for a slow node', async (context) => {
    const slow = await PacedChain.start()
    context.after(() => slow.stop())
    const tenant = await installation.createTenant('Patient')
    await maintainJson(`create-signer ${on(tenant)}`)
    slow.freeze()
    // Exceeds the start of the command and the three seconds of a worker's timeout.
    const thaws = sleep(6_000).then(() => slow.unfreeze())
    const shown = maintainJson(`show-signer ${on(tenant)}`, { CHAINS: `anvil=${slow.url}` })
    await Promise.all([thaws, shown])
  })

  test('catch-up-signer raises the next nonce to that of the chain, and never lowers it', async () => {
    const tenant = await installation.createTenant('Restored')
    await rejected(`catch-up-signer ${on(tenant)}`, /has no signer on anvil: create one with create-signer/)
    await maintainJson(`create-signer ${on(tenant)}`)
    const catchUp = () => maintainJson(`catch-up-signer ${on(tenant)}`)
    const unchanged = { tenant_id: tenant, chain: 'anvil', previous_nonce: 0, next_nonce: 0 }
    assert.deepEqual(await catchUp(), unchanged)
    const ahead = 'update cell.chain_signer set next_nonce = 7 where tenant_id = $1'
    await installation.rows(ahead, [tenant])
    assert.deepEqual(await catchUp(), { ...unchanged, previous_nonce: 7, next_nonce: 7 })
  })

  test('without --json it prints a table and a note about gas', async () => {
    const tenant = await installation.createTenant('Table')
    const { output } = await maintain(`create-signer ${on(tenant)}`)
    assert.match(output, /│ address\s+│ 0x[0-9a-fA-F]{40}/)
    assert.match(output, /Send gas to 0x[0-9a-fA-F]{40} on anvil/)
  })

  test('an unknown chain or tenant and an incomplete PKCS#11 configuration are rejected', async () => {
    const tenant = await installation.createTenant('Rejected')
    await rejected(`create-signer ${on(tenant, 'mars')}`, /Chain mars is not in CHAINS, which lists anvil, stopped\./)
    await rejected(`create-signer ${on(tenant)}`, /not in CHAINS, which lists none\./, { CHAINS: '' })
    await rejected(`create-signer ${on(crypto.randomUUID())}`, /Tenant .* does not exist/)
    const module = { PKCS11_MODULE: '/nowhere/module.so' }
    await rejected(`create-signer ${on(tenant)}`, /PKCS11_PIN is missing. PKCS11_MODULE is set/, module)
    const withPin = { ...module, PKCS11_PIN: '1234' }
    await rejected(`create-signer ${on(tenant)}`, /PKCS11_MODULE cannot be loaded: set it to the path/, withPin)
    assert.deepEqual(await signersOf(tenant), [])
  })

  test('with PKCS11_MODULE the key is in the module; a wrong PIN creates none', {
    skip: softHsmIsMissing,
  }, async () => {
    const hsm = await SoftHsm.create()
    try {
      const tenant = await installation.createTenant('Module')
      const wrong = { ...hsm.settings, PKCS11_PIN: '4321' }
      await rejected(`create-signer ${on(tenant)}`, /PKCS11_PIN is not the PIN of the token: set the right/, wrong)
      assert.deepEqual(await signersOf(tenant), [])
      const created = await maintainJson(`create-signer ${on(tenant)}`, hsm.settings)
      assert.equal(created.key_backend, 'pkcs11')
      assert.deepEqual(await signersOf(tenant), [{ key_backend: 'pkcs11', address: created.address }])
      assert.equal((await maintainJson(`show-signer ${on(tenant)}`)).key_backend, 'pkcs11')
    } finally {
      await hsm.remove()
    }
  })
})
