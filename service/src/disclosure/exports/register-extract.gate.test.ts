import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { ExportRows } from '../../../test/harness/data/export-rows.ts'
import type { Party } from '../../../test/harness/data/fixtures.ts'
import { readPdfPages } from '../../../test/harness/data/pdf-pages.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { newSeed, seededRandom } from '../../../test/harness/seeded-random.ts'
import { RegisterWorld, strangerAddress } from '../../../test/harness/tokens/register-world.ts'

const holderCount = 2_300
const hostileName = '=HYPERLINK("https://evil.example","click")'
const details = {
  isin: 'US0378331005',
  issuer_name: 'Harbour Issuer GmbH',
  issuer_lei: '7H6GLXDRUGQFU57RNE97',
  nominal_amount: '1000.5',
  nominal_currency: 'EUR',
  extract_format: null,
}
const types = { csv: 'text/csv', json: 'application/json', pdf: 'application/pdf' } as const

describe('a register extract', async () => {
  const seed = newSeed()

  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenantId = await installation.createTenant('A')
  const me = await installation.createOperator(tenantId)
  const rows = new ExportRows(installation, tenantId)
  const world = await RegisterWorld.create(installation, tenantId)
  const ada = await world.investor(hostileName)
  const bob = await world.investor('Łódź 山田')
  const random = seededRandom(seed)
  const someUnits = () => BigInt(1 + Math.floor(random() * 1e12))
  await world.apply([
    { to: ada.address, units: 5_000_000_000n },
    ...Array.from({ length: holderCount }, (_, index) => ({ to: strangerAddress(index), units: someUnits() })),
  ])
  await world.apply([{ from: ada.address, to: bob.address, units: 2_000_000_000n }])
  await world.apply([
    { kind: 'frozen', to: bob.address, units: 7n },
    { from: ada.address, units: 1n },
  ])
  const sql = (text: string, values?: unknown[]) => installation.rows(text, values)
  await sql('analyze cell.token_log, cell.holding, cell.wallet')
  const post = (path: string, body?: unknown, who: { token?: string; cookie?: string } = { token: me.token }) =>
    api.call('POST', path, { ...who, body })
  const set = await post(`/offerings/${world.offeringId}/register-details`, details)
  assert.equal(set.status, 200, set.text)
  assert.deepEqual(set.body.register, details)

  const supplyAt = async (block: number) => {
    const [found] = await sql(
      `select sum(case when from_address is null then units when to_address = '0x' || repeat('0', 40) then -units
                  else 0 end)::text as units
       from cell.token_log where offering_id = $1 and kind = 'transfer' and block_number <= $2`,
      [world.offeringId, block],
    )
    return found?.units as string
  }

  async function extract(wanted: Record<string, unknown> = {}) {
    await rows.expireAll()
    const created = await post('/exports', { kind: 'register', offering_id: world.offeringId, ...wanted })
    assert.equal(created.status, 201, created.text)
    await rows.write()
    return download(created.body.id)
  }

  async function download(id: string, who: { token?: string; cookie?: string } = { token: me.token }) {
    const { body: done } = await api.call('GET', `/exports/${id}`, { token: me.token })
    const format = done.format as keyof typeof types
    const file = await api.call('POST', `/exports/${id}/download`, { ...who, fileType: types[format] })
    assert.equal(file.status, 200, file.text)
    return { done, bytes: file.bytes, text: file.text, headers: file.headers }
  }

  const audited = async (id: string) => {
    const [entry] = await sql(
      `select after from base.audit_log where action = 'register_extract.created' and subject_id = $1`,
      [id],
    )
    return entry?.after
  }

  const linesOf = (text: string) =>
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.replaceAll('"', '').split(','))

  test(`has every holder once, and its units are the supply, in every format (seed ${seed})`, async () => {
    for (const block of [1, 2, 3]) {
      const supply = await supplyAt(block)
      const json = await extract({ format: 'json', block })
      const { holders, total_units, holder_count, as_of, offering } = JSON.parse(json.text)
      assert.equal(total_units, supply)
      assert.equal(holder_count, holders.length)
      assert.equal(holders.length, holderCount + (block === 1 ? 1 : 2))
      assert.equal(new Set(holders.map(({ address }: { address: string }) => address)).size, holders.length)
      const sum = holders.reduce((all: bigint, { units }: { units: string }) => all + BigInt(units), 0n)
      assert.equal(String(sum), supply)
      const percent = holders.reduce((all: number, row: { percent: string }) => all + Number(row.percent), 0)
      assert.ok(Math.abs(percent - 100) < holders.length * 0.000_000_5 + 1e-9, `${percent}`)
      assert.deepEqual(as_of, {
        time: null,
        block,
        block_hash: world.hashOf(block),
        block_time: world.timeOf(block),
      })
      const { extract_format: _none, ...identifiers } = details
      assert.deepEqual({ ...offering, ...identifiers }, offering)
      const csv = await extract({ format: 'csv', block })
      assert.deepEqual(
        linesOf(csv.text).map(([isin, lei, at, hash, address, , , units]) => [isin, lei, at, hash, address, units]),
        holders.map(({ address, units }: { address: string; units: string }) => [
          details.isin,
          details.issuer_lei,
          String(block),
          world.hashOf(block),
          address,
          units,
        ]),
      )
      const pdf = await extract({ format: 'pdf', block })
      const lines = (await readPdfPages(pdf.bytes)).flat()
      for (const { address, units } of holders.slice(0, 50))
        assert.match(lines.find((line) => line.startsWith(address)) ?? '', new RegExp(` ${units} `))
      assert.equal(pdf.done.unit_sum, supply)
      assert.ok(lines.includes(`Rows ${holders.length}, SHA-256 ${rowsHash(csv.text)}`))
    }
  })

  /** Hashes the lines after the first, as the PDF does. */
  const rowsHash = (csv: string) =>
    createHash('sha256')
      .update(csv.slice(csv.indexOf('\r\n') + 2))
      .digest('hex')

  test('has its hash, block, rows and units in the audit log, whose chain is intact', async () => {
    for (const format of ['json', 'csv', 'pdf'] as const) {
      const { done, bytes, headers } = await extract({ format, block: 2 })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      assert.equal(done.sha256, sha256)
      assert.equal(headers.get('content-length'), String(bytes.length))
      assert.match(headers.get('content-disposition') ?? '', new RegExp(`register-${done.id}\\.${format}`))
      assert.deepEqual(await audited(done.id), {
        offering_id: world.offeringId,
        account_id: null,
        format,
        with_personal_data: false,
        block: 2,
        block_hash: world.hashOf(2),
        row_count: holderCount + 2,
        units: await supplyAt(2),
        total_units: await supplyAt(2),
        sha256,
      })
    }
    const verified = await post('/audit/verify', {})
    assert.deepEqual(
      [verified.status, verified.body.problem, verified.body.is_complete],
      [200, null, true],
      verified.text,
    )
  })

  test('as of a time before a transfer shows the holders at that time', async () => {
    const at = new Date(new Date(world.timeOf(2)).getTime() - 1_000).toISOString()
    const { text } = await extract({ format: 'json', at })
    const { holders, as_of } = JSON.parse(text)
    const unitsOf = ({ address }: Party) => holders.find((row: { address: string }) => row.address === address)?.units
    assert.deepEqual([unitsOf(ada), unitsOf(bob)], ['5000000000', undefined])
    assert.deepEqual([as_of.time, as_of.block], [at, 1])
    const { text: now } = await extract({ format: 'json' })
    assert.match(now, /"units":"2000000000","nominal":"20010","percent":"[\d.]+","frozen_units":"7"/)
  })

  test('of one holder shows nothing of others, even after the holder has sold everything', async () => {
    await world.apply([{ from: bob.address, to: ada.address, units: 2_000_000_000n }])
    for (const format of ['json', 'csv', 'pdf'] as const) {
      const { done, bytes } = await extract({ format, account_id: bob.accountId })
      const text = format === 'pdf' ? (await readPdfPages(bytes)).flat().join('\n') : bytes.toString()
      assert.ok(text.includes(bob.address))
      for (const other of [ada.address, ada.accountId, ada.walletId, strangerAddress(1)])
        assert.ok(!text.includes(other), `${format} ${other}`)
      assert.equal(done.row_count, 1)
      assert.equal(done.unit_sum, '0')
      assert.equal((await audited(done.id)).account_id, bob.accountId)
    }
    const none = await extract({ format: 'json', account_id: (await world.investor('New')).accountId })
    assert.deepEqual(JSON.parse(none.text).holders, [])
  })

  test('with names needs the duty, a passkey and a second person, guards formulas and shows names of any script', async () => {
    await rows.expireAll()
    await installation.useDefaultPolicies(tenantId)
    const wanted = { kind: 'register', offering_id: world.offeringId, block: 2, with_personal_data: true }
    assertError(await post('/exports', wanted), 403, 'session_required')
    const viewer = await installation.createOperator(tenantId, { role: 'viewer' })
    assertError(await post('/exports', wanted, { cookie: viewer.cookie as string }), 403, 'insufficient_duty')
    const second = await installation.createOperator(tenantId)
    const named = async (format: string, account_id?: string) => {
      const proposal = await post(
        '/exports',
        { ...wanted, format, ...(account_id && { account_id }) },
        { cookie: me.cookie },
      )
      const { id } = (await confirmAs(api, second, proposal)).body.result
      await rows.write()
      return download(id, { cookie: me.cookie })
    }
    assert.match((await named('csv', ada.accountId)).text, /,"[^"]* =HYPERLINK\(""https:/)
    assert.equal(JSON.parse((await named('json', bob.accountId)).text).holders[0].name, 'Ada Łódź 山田')
    const [lines = []] = await readPdfPages((await named('pdf', bob.accountId)).bytes)
    assert.ok(
      lines.some((line) => line.startsWith(`${bob.address} Ada Łódź 山田 `)),
      lines.join('\n'),
    )
  })

  test('rejects what it cannot extract', async () => {
    await rows.expireAll()
    const { offeringId } = world
    const later = '2027-01-01T00:00:00.000Z'
    for (const [body, status, code] of [
      [{ kind: 'register' }, 400, 'validation_failed'],
      [{ kind: 'orders', format: 'pdf' }, 400, 'validation_failed'],
      [{ kind: 'register', offering_id: offeringId, at: world.timeOf(1), block: 1 }, 400, 'validation_failed'],
      [{ kind: 'register', offering_id: offeringId, at: later }, 409, 'block_not_finalized'],
      [{ kind: 'register', offering_id: offeringId, account_id: crypto.randomUUID() }, 404, 'not_found'],
      [{ kind: 'register', offering_id: crypto.randomUUID() }, 404, 'not_found'],
    ] as const)
      assertError(await post('/exports', body), status, code)
    for (const wrong of [{ isin: 'US0378331004' }, { issuer_lei: '7H6GLXDRUGQFU57RNE98' }, { nominal_currency: null }])
      assertError(
        await post(`/offerings/${offeringId}/register-details`, { ...details, ...wrong }),
        400,
        'validation_failed',
      )
  })

  test('is not finished if the register does not have the units of the supply', async () => {
    await sql(`update cell.holding set units = units - 1 where address = '0x' || repeat('0', 40)`)
    await rows.expireAll()
    const { body } = await post('/exports', { kind: 'register', offering_id: world.offeringId })
    await rows.write()
    const { body: failed } = await api.call('GET', `/exports/${body.id}`, { token: me.token })
    assert.equal(failed.state, 'failed')
    assert.equal(await audited(body.id), undefined)
    await sql(`update cell.holding set units = units + 1 where address = '0x' || repeat('0', 40)`)
  })
})
