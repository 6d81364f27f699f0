import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Address, bytesToHex, recoverAddress } from 'viem'
import { TestInstallation } from '../../../test/harness/service.ts'
import { SoftHsm, softHsmIsMissing } from '../../../test/harness/soft-hsm.ts'
import { until } from '../../../test/harness/wait.ts'
import { LocalChain } from '../../main/local-chain.ts'
import { Placement } from '../../platform/db/placement.ts'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import { type Vault, Vaults } from '../../platform/db/vault.ts'
import { Chain } from '../chain/chain.ts'
import { createSigner } from './create-signer.ts'
import { type ModuleSession, ModuleUnavailable, Pkcs11Module } from './pkcs11-module.ts'
import { type ChainSigner, findSigner } from './signer.sql.ts'
import { type Signer, signTransaction } from './signer.ts'
import { signerOf } from './signers.ts'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const elsewhere: Address = '0x00000000000000000000000000000000000000AA'

let installation: TestInstallation
let node: LocalChain
let chain: Chain

before(async () => {
  installation = await TestInstallation.create()
  node = await LocalChain.open()
  chain = new Chain('anvil', node.url)
})
after(async () => {
  await node?.stop()
  await installation?.end()
})

const places = () => ({ databases: installation.databases, placement: new Placement(installation.databases) })
const vaults = () => new Vaults(installation.config.dataMasterKeys)

/** A tenant with a signer, and a way to do something with it inside a transaction, as the vault wants. */
async function tenantWithSigner(module?: Pkcs11Module) {
  const tenantId = await installation.createTenant('Signs')
  const made = await createSigner(places(), { vaults: vaults(), module }, { tenantId, chain: 'anvil' })
  assert.ok('address' in made)
  const withRow = <Result>(work: (row: ChainSigner, vault: Vault) => Promise<Result>) =>
    inTenantTransaction(places(), { tenantId, access: 'read' }, async (tx) => {
      const row = await findSigner(tx, { tenantId, chain: 'anvil' })
      assert.ok(row)
      return work(row, vaults().of(tx, tenantId))
    })
  const sign = <Result>(work: (signer: Signer) => Promise<Result>) =>
    withRow((row, vault) => work(signerOf(row, vault, module)))
  return { tenantId, address: made.address, withRow, sign }
}

async function sendsFromItsAddress(module?: Pkcs11Module): Promise<void> {
  const { address, sign } = await tenantWithSigner(module)
  await node.give(address)
  const wanted = {
    chainId: await chain.id(),
    nonce: 0,
    to: elsewhere,
    value: 1n,
    gas: 21_000n,
    ...(await chain.fees()),
  }
  const { raw, hash } = await sign((signer) => signTransaction(signer, wanted))
  await chain.broadcast(raw)
  await until('it is mined', async () => (await chain.receipt(hash)) !== undefined)
  const receipt = await chain.receipt(hash)
  assert.equal(receipt?.status, 'success')
  assert.equal(receipt.from, address.toLowerCase())
  assert.equal(await chain.transactionCount(address, 'latest'), 1)
}

async function signs200(module?: Pkcs11Module): Promise<void> {
  const { address, sign } = await tenantWithSigner(module)
  await sign(async (signer) => {
    for (let count = 0; count < 200; count += 1) {
      const hash = bytesToHex(randomBytes(32))
      const signature = await signer.signDigest(hash)
      assert.equal(await recoverAddress({ hash, signature }), address)
      assert.ok(BigInt(signature.s) <= halfOrder, `s of ${hash}`)
    }
  })
}

describe('a key that is sealed in the database', () => {
  test('signs transactions that the chain takes for those of its address', () => sendsFromItsAddress())

  test('signs 200 random digests so that its address is recovered, with the lower s', () => signs200())

  test('opens for no other tenant, chain or address', async () => {
    const [mine, other] = [await tenantWithSigner(), await tenantWithSigner()]
    const digest = bytesToHex(randomBytes(32))
    await mine.withRow(async (row, vault) => {
      await signerOf(row, vault, undefined).signDigest(digest)
      for (const moved of [{ chain: 'ethereum' }, { address: other.address }])
        await assert.rejects(signerOf({ ...row, ...moved }, vault, undefined).signDigest(digest))
      await other.withRow(async (_, othersVault) => {
        await assert.rejects(signerOf(row, othersVault, undefined).signDigest(digest))
      })
    })
  })

  test('is nowhere in the database as it is', async () => {
    const { withRow } = await tenantWithSigner()
    await withRow(async ({ address, sealedKey }, vault) => {
      assert.ok(sealedKey)
      const key = await vault.open(sealedKey, `chain signer anvil ${address}`)
      assert.match(key, /^0x[0-9a-f]{64}$/)
      assert.ok(!sealedKey.includes(key) && !sealedKey.includes(Buffer.from(key.slice(2), 'hex')))
    })
  })
})

describe('a key in a PKCS#11 module', { skip: softHsmIsMissing }, () => {
  let hsm: SoftHsm
  let module: Pkcs11Module

  before(async () => {
    hsm = await SoftHsm.create()
    module = new Pkcs11Module(hsm)
  })
  after(async () => {
    await module?.close()
    await hsm?.remove()
  })

  test('signs transactions that the chain takes for those of its address', () => sendsFromItsAddress(module))

  test('signs 200 random digests so that its address is recovered, with the lower s', () => signs200(module))

  test('cannot be read, not even by who has the PIN', async () => {
    const { withRow } = await tenantWithSigner(module)
    const label = await withRow(async (row) => row.keyLabel)
    const refusals = await module.use(async (session) => {
      const { pkcs11, library, handle } = session
      const key = privateKey(session, label ?? '')
      const change = (type: number, value: boolean) => [{ type, value }]
      return [
        refusal(() => library.C_GetAttributeValue(handle, key, [{ type: pkcs11.CKA_VALUE }])),
        refusal(() => library.C_SetAttributeValue(handle, key, change(pkcs11.CKA_SENSITIVE, false))),
        refusal(() => library.C_SetAttributeValue(handle, key, change(pkcs11.CKA_EXTRACTABLE, true))),
        refusal(() => library.C_CopyObject(handle, key, change(pkcs11.CKA_EXTRACTABLE, true))),
      ]
    })
    assert.equal(refusals[0], 'CKR_ATTRIBUTE_SENSITIVE')
    for (const refused of refusals) assert.match(refused, /^CKR_/)
  })

  test('cannot be wrapped and carried out, as a key that is extractable can', async () => {
    const { withRow } = await tenantWithSigner(module)
    const label = await withRow(async (row) => row.keyLabel)
    const [ours, extractable] = await module.use(async (session) => {
      const { pkcs11, library, handle } = session
      const wrapping = library.C_GenerateKey(handle, { mechanism: pkcs11.CKM_AES_KEY_GEN }, [
        { type: pkcs11.CKA_VALUE_LEN, value: 32 },
        { type: pkcs11.CKA_WRAP, value: true },
      ])
      const { privateKey: loose } = library.C_GenerateKeyPair(
        handle,
        { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
        [{ type: pkcs11.CKA_EC_PARAMS, value: Buffer.from('06052b8104000a', 'hex') }],
        [{ type: pkcs11.CKA_EXTRACTABLE, value: true }],
      )
      return [privateKey(session, label ?? ''), loose].map((key) =>
        refusal(() =>
          library.C_WrapKey(handle, { mechanism: pkcs11.CKM_AES_KEY_WRAP_PAD }, wrapping, key, Buffer.alloc(1_000)),
        ),
      )
    })
    assert.equal(ours, 'CKR_KEY_UNEXTRACTABLE')
    assert.equal(extractable, 'nothing was refused')
  })

  test('goes on signing after its session was lost, and when many ask at once', async () => {
    const { address, sign } = await tenantWithSigner(module)
    const hash = bytesToHex(randomBytes(32))
    const breaks: ((session: ModuleSession) => void)[] = [
      ({ library, handle }) => library.C_CloseSession(handle),
      ({ library, handle }) => library.C_Logout(handle),
      ({ library }) => library.C_Finalize(),
    ]
    for (const lose of breaks) {
      await module.use(async (session) => lose(session))
      const signatures = await sign((signer) => Promise.all(Array.from({ length: 20 }, () => signer.signDigest(hash))))
      for (const signature of signatures) assert.equal(await recoverAddress({ hash, signature }), address)
    }
  })

  test('is not taken for that of another address', async () => {
    const [mine, other] = [await tenantWithSigner(module), await tenantWithSigner(module)]
    await mine.withRow(async (row, vault) => {
      const signer = signerOf({ ...row, address: other.address }, vault, module)
      await assert.rejects(signer.signDigest(bytesToHex(randomBytes(32))), /another key than the one of 0x/)
      const lost = signerOf({ ...row, keyLabel: 'lost' }, vault, module)
      await assert.rejects(lost.signDigest(bytesToHex(randomBytes(32))), /no key with the label lost/)
      assert.throws(() => signerOf(row, vault, undefined), /set PKCS11_MODULE and PKCS11_PIN/)
    })
  })

  test('a wrong PIN stops with what to do, and is not tried again: the token would lock itself', async () => {
    // A login is of the whole process.
    await module.close()
    const wrong = new Pkcs11Module({ path: hsm.path, pin: '4321' })
    const errors = await Promise.all([1, 2].map(() => wrong.use(async () => {}).catch((error: unknown) => error)))
    assert.ok(errors[0] instanceof ModuleUnavailable)
    assert.match(errors[0].message, /^PKCS11_PIN is not the PIN of the token: set the right one/)
    assert.equal(errors[1], errors[0])
    await wrong.close()
    await module.use(async () => {})
  })

  test('a module that is not there stops with what to do', async () => {
    const missing = new Pkcs11Module({ path: '/nowhere/module.so', pin: hsm.pin })
    await assert.rejects(
      missing.use(async () => {}),
      /^ModuleUnavailable: PKCS11_MODULE cannot be loaded: set it to/,
    )
  })
})

function privateKey({ pkcs11, library, handle }: ModuleSession, label: string): Buffer {
  library.C_FindObjectsInit(handle, [
    { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY },
    { type: pkcs11.CKA_LABEL, value: label },
  ])
  const [key] = library.C_FindObjects(handle, 1)
  library.C_FindObjectsFinal(handle)
  assert.ok(key)
  return key
}

function refusal(call: () => unknown): string {
  try {
    call()
    return 'nothing was refused'
  } catch (error) {
    return (error as Error).message
  }
}
