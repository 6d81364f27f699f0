import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { type Address, bytesToHex, recoverAddress } from 'viem'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { SoftHsm, softHsmIsMissing } from '../../../test/harness/chain/soft-hsm.ts'
import { createTestSigner, openTestSigners } from '../../../test/harness/chain/test-signers.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { until } from '../../../test/harness/wait.ts'
import { LocalChain } from '../../dev/local-chain.ts'
import { Chain } from '../chain/chain.ts'
import { KeyBackendUnavailable } from './key-backend.ts'
import { pkcs11Backend } from './pkcs11.ts'
import { Pkcs11Module, type Pkcs11Session } from './pkcs11-module.ts'
import { type ChainSigner, findSigner } from './signer.sql.ts'
import { type Signer, signTransaction } from './signer.ts'
import { Signers } from './signers.ts'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const recipient: Address = '0x00000000000000000000000000000000000000AA'

interface TenantSigner {
  readonly tenantId: string
  readonly row: ChainSigner
  readonly address: Address
  readonly signer: Signer
}

describe('the signers', async () => {
  const installation = await sharedInstallation()
  const node = await LocalChain.open()
  const chain = new Chain('anvil', node.url)
  after(() => node.stop())
  after(() => installation.end())

  async function tenantWithSigner(signers = openTestSigners(installation)): Promise<TenantSigner> {
    const tenantId = await installation.createTenant('Signs')
    await createTestSigner(installation, tenantId, { signers })
    const direct = new DirectOperations(installation, tenantId)
    const row = await direct.write((tx) => findSigner(tx, { tenantId, chain: 'anvil' }))
    assert.ok(row)
    return { tenantId, row, address: row.address, signer: signers.signerOf(row) }
  }

  async function assertSendsFromItsAddress(signers?: Signers): Promise<void> {
    const { address, signer } = await tenantWithSigner(signers)
    await node.setBalance(address)
    const transaction = {
      chainId: await chain.id(),
      nonce: 0,
      to: recipient,
      value: 1n,
      gas: 21_000n,
      ...(await chain.fees()),
    }
    const { raw, hash } = await signTransaction(signer, transaction)
    await chain.broadcast(raw)
    await until('it is mined', async () => (await chain.receipt(hash)) !== undefined)
    const receipt = await chain.receipt(hash)
    assert.equal(receipt?.status, 'success')
    assert.equal(receipt.from, address.toLowerCase())
    assert.equal(await chain.transactionCount(address, 'latest'), 1)
  }

  async function assertSigns200Digests(signers?: Signers): Promise<void> {
    const { address, signer } = await tenantWithSigner(signers)
    for (let count = 0; count < 200; count += 1) {
      const hash = bytesToHex(randomBytes(32))
      const signature = await signer.signDigest(hash)
      assert.equal(await recoverAddress({ hash, signature }), address)
      assert.ok(BigInt(signature.s) <= halfOrder, `s of ${hash}`)
    }
  }

  describe('the key backend sealed', () => {
    test('signs transactions that the chain accepts as those of its address', () => assertSendsFromItsAddress())

    test('signs 200 random digests that recover to its address, with the low s', () => assertSigns200Digests())

    test('decrypts a key for no other tenant, chain or address', async () => {
      const signers = openTestSigners(installation)
      const [mine, other] = [await tenantWithSigner(), await tenantWithSigner()]
      const digest = bytesToHex(randomBytes(32))
      await mine.signer.signDigest(digest)
      for (const moved of [{ chain: 'ethereum' }, { address: other.address }, { tenantId: other.tenantId }])
        await assert.rejects(signers.signerOf({ ...mine.row, ...moved }).signDigest(digest))
    })

    test('stores no key in plain text', async () => {
      const { tenantId, row } = await tenantWithSigner()
      const direct = new DirectOperations(installation, tenantId)
      const key = await direct.write((tx) => direct.vaultOf(tx).open(row.keyData, `chain signer anvil ${row.address}`))
      assert.match(key, /^0x[0-9a-f]{64}$/)
      assert.ok(!row.keyData.includes(key) && !row.keyData.includes(Buffer.from(key.slice(2), 'hex')))
    })
  })

  describe('the key backend pkcs11', { skip: softHsmIsMissing }, async () => {
    const hsm = await SoftHsm.create()
    const module = new Pkcs11Module(hsm)
    const signers = new Signers(new Map([['pkcs11', pkcs11Backend(module)]]))
    after(() => module.close())
    after(() => hsm.remove())

    test('signs transactions that the chain accepts as those of its address', () => assertSendsFromItsAddress(signers))

    test('signs 200 random digests that recover to its address, with the low s', () => assertSigns200Digests(signers))

    test('a key cannot be read, not even with the PIN', async () => {
      const { row } = await tenantWithSigner(signers)
      const errors = await module.use(async (session) => {
        const { pkcs11, library, handle } = session
        const key = privateKey(session, row.keyData.toString())
        const change = (type: number, value: boolean) => [{ type, value }]
        return [
          errorOf(() => library.C_GetAttributeValue(handle, key, [{ type: pkcs11.CKA_VALUE }])),
          errorOf(() => library.C_SetAttributeValue(handle, key, change(pkcs11.CKA_SENSITIVE, false))),
          errorOf(() => library.C_SetAttributeValue(handle, key, change(pkcs11.CKA_EXTRACTABLE, true))),
          errorOf(() => library.C_CopyObject(handle, key, change(pkcs11.CKA_EXTRACTABLE, true))),
        ]
      })
      assert.equal(errors[0], 'CKR_ATTRIBUTE_SENSITIVE')
      for (const error of errors) assert.match(error, /^CKR_/)
    })

    test('a key cannot be wrapped and exported, unlike an extractable key', async () => {
      const { row } = await tenantWithSigner(signers)
      const [ours, extractable] = await module.use(async (session) => {
        const { pkcs11, library, handle } = session
        const wrapping = library.C_GenerateKey(handle, { mechanism: pkcs11.CKM_AES_KEY_GEN }, [
          { type: pkcs11.CKA_VALUE_LEN, value: 32 },
          { type: pkcs11.CKA_WRAP, value: true },
        ])
        const { privateKey: extractableKey } = library.C_GenerateKeyPair(
          handle,
          { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
          [{ type: pkcs11.CKA_EC_PARAMS, value: Buffer.from('06052b8104000a', 'hex') }],
          [{ type: pkcs11.CKA_EXTRACTABLE, value: true }],
        )
        return [privateKey(session, row.keyData.toString()), extractableKey].map((key) =>
          errorOf(() =>
            library.C_WrapKey(handle, { mechanism: pkcs11.CKM_AES_KEY_WRAP_PAD }, wrapping, key, Buffer.alloc(1_000)),
          ),
        )
      })
      assert.equal(ours, 'CKR_KEY_UNEXTRACTABLE')
      assert.equal(extractable, 'no error')
    })

    test('signs concurrent requests after the session was lost', async () => {
      const { address, signer } = await tenantWithSigner(signers)
      const hash = bytesToHex(randomBytes(32))
      const losses: ((session: Pkcs11Session) => void)[] = [
        ({ library, handle }) => library.C_CloseSession(handle),
        ({ library, handle }) => library.C_Logout(handle),
        ({ library }) => library.C_Finalize(),
      ]
      for (const lose of losses) {
        await module.use(async (session) => lose(session))
        const signatures = await Promise.all(Array.from({ length: 20 }, () => signer.signDigest(hash)))
        for (const signature of signatures) assert.equal(await recoverAddress({ hash, signature }), address)
      }
    })

    test('rejects a key that does not belong to the address, a missing key, and a missing configuration', async () => {
      const [mine, other] = [await tenantWithSigner(signers), await tenantWithSigner(signers)]
      const digest = bytesToHex(randomBytes(32))
      const wrongAddress = signers.signerOf({ ...mine.row, address: other.address })
      await assert.rejects(wrongAddress.signDigest(digest), /a different key under the label of 0x/)
      const missing = signers.signerOf({ ...mine.row, keyData: Buffer.from('missing') })
      await assert.rejects(missing.signDigest(digest), /no key with the label missing/)
      const withoutHsm = openTestSigners(installation)
      assert.throws(() => withoutHsm.signerOf(mine.row), /set PKCS11_MODULE and PKCS11_PIN/)
    })

    test('a wrong PIN is reported with its fix and not retried, because the token would lock itself', async () => {
      // A login applies to the whole process.
      await module.close()
      const wrong = new Pkcs11Module({ path: hsm.path, pin: '4321' })
      const errors = await Promise.all([1, 2].map(() => wrong.use(async () => {}).catch((error: unknown) => error)))
      assert.ok(errors[0] instanceof KeyBackendUnavailable)
      assert.match(errors[0].message, /^PKCS11_PIN is not the PIN of the token: set the right one/)
      assert.equal(errors[1], errors[0])
      await wrong.close()
      await module.use(async () => {})
    })

    test('a missing module is reported with its fix', async () => {
      const missing = new Pkcs11Module({ path: '/nowhere/module.so', pin: hsm.pin })
      await assert.rejects(
        missing.use(async () => {}),
        /^KeyBackendUnavailable: PKCS11_MODULE cannot be loaded: set it to/,
      )
    })
  })
})

function privateKey({ pkcs11, library, handle }: Pkcs11Session, label: string): Buffer {
  library.C_FindObjectsInit(handle, [
    { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY },
    { type: pkcs11.CKA_LABEL, value: label },
  ])
  const [key] = library.C_FindObjects(handle, 1)
  library.C_FindObjectsFinal(handle)
  assert.ok(key)
  return key
}

function errorOf(call: () => unknown): string {
  try {
    call()
    return 'no error'
  } catch (error) {
    return (error as Error).message
  }
}
