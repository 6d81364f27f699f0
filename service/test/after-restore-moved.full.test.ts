import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { IssuedCredential } from '../src/access/credentials/issue-credential.ts'
import { judgeResidence } from '../src/maintain/relocation/restored-residence.ts'
import { numberEventBatch } from '../src/records/events/number-events.sql.ts'
import { MoveWorld } from './harness/clusters/move-world.ts'
import { individual } from './harness/data/bodies.ts'
import { asOwner, ownerRows } from './harness/installation/database.ts'
import type { MaintainResult } from './harness/installation/process.ts'
import type { RunningApi } from './harness/installation/running-api.ts'
import { until } from './harness/wait.ts'

const subscriptionsQuery = `
  select subname as name from pg_subscription join pg_database on pg_database.oid = subdbid
  where datname = current_database() and subenabled`

const accountOf = (email: string) => ({ ...individual, communication: { email, email_confirmed: true } })

describe('maintain after-restore for tenants that moved after the moment', async () => {
  const tenants = new Map<string, { id: string; credential: IssuedCredential }>()
  const idOf = (name: string) => tenants.get(name)?.id ?? ''

  const world = await MoveWorld.create()
  after(() => world.end())
  const onServer = (query: string) => ownerRows(world.urlOf('main').replace(/main$/, 'postgres'), query)
  const endConnections = (cell: string) =>
    onServer(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${cell}'`)
  for (const [name, cell] of [
    ['leaver', 'east'],
    ['stayer', 'east'],
    ['arriver', 'west'],
    ['guest', 'west'],
  ] as const) {
    const id = await world.installation.createTenant(name, { cell })
    tenants.set(name, { id, credential: await world.installation.issueCredential(id) })
  }
  for (const cell of ['main', 'east']) await backUp(cell)
  const [row] = await world.rows<{ now: string }>('main', 'select clock_timestamp()::text as now')
  const to = row?.now ?? ''
  for (const args of [
    ['--tenant', idOf('leaver'), '--to', 'west'],
    ['--tenant', idOf('arriver'), '--to', 'east'],
    ['--tenant', idOf('guest'), '--to', 'east'],
  ])
    await world.maintained(['move-tenant', ...args])
  await createAccounts()

  /** Creates two accounts in its new cell: one reaches the copy in the old one, the second does not. */
  async function createAccounts(): Promise<void> {
    const api = await world.installation.startApi()
    const token = await api.token(tenants.get('arriver')?.credential ?? assert.fail())
    const create = async (email: string) => {
      const headers = { 'x-idempotency-key': email }
      const { status, text } = await api.call('POST', '/accounts', { token, headers, body: accountOf(email) })
      assert.equal(status, 201, text)
    }
    const copied = 'select from cell.event where tenant_id = $1'
    await create('kept@example.com')
    await asOwner(world.urlOf('east'), (client) => numberEventBatch(client, 1_000))
    await until('its event is in the copy', async () => {
      const rows = await world.rows('west', copied, [idOf('arriver')])
      return rows.length > 0
    })
    await disableSubscriptions()
    await create('lost@example.com')
    await api.process.stop()
  }

  async function disableSubscriptions(): Promise<void> {
    for (const other of world.urls.keys())
      for (const { name } of await world.rows<{ name: string }>(other, subscriptionsQuery))
        await world.rows(other, `alter subscription ${name} disable`)
  }

  async function backUp(cell: string): Promise<void> {
    await endConnections(cell)
    await onServer(`create database ${cell}_backup template ${cell}`)
  }

  /** Replaces the database of a cell by its backup. Replication from or to it ends, as with a lost server. */
  async function restore(cell: string): Promise<void> {
    await disableSubscriptions()
    await until('the database is not used', async () => {
      await endConnections(cell)
      return onServer(`alter database ${cell} rename to ${cell}_lost`).then(
        () => true,
        () => false,
      )
    })
    await onServer(`alter database ${cell}_backup rename to ${cell}`)
  }

  async function runAfterRestore(args: string[], settings: Record<string, string> = {}): Promise<MaintainResult> {
    for (const cell of world.urls.keys()) await endConnections(cell)
    return world.maintain(['after-restore', '--to', to, ...args], settings)
  }

  /** Sorts by text: tenants are in the order of their ids. */
  const residenceOf = ({ code, printed, output }: MaintainResult) => {
    assert.equal(code, 0, output)
    return (printed[0]?.['residence'] as string[] | undefined)?.toSorted()
  }

  /** Simulates a cell that is down: nothing listens at its port. */
  const without = (cell: string) =>
    [...world.urls].map(([name, url]) => `${name}=${name === cell ? url.replace(/:\d+\//, ':1/') : url}`).join(' ')
  const withoutWest = () => ({ OWNER_CELLS: without('west') })

  async function statusOf(api: RunningApi, name: string): Promise<number> {
    const { credential } = tenants.get(name) ?? assert.fail(name)
    return (await api.call('GET', '/accounts', { token: await api.token(credential) })).status
  }

  async function statuses(): Promise<Record<string, number>> {
    const api = await world.installation.startApi()
    const found: Record<string, number> = {}
    for (const name of tenants.keys()) found[name] = await statusOf(api, name)
    await api.process.stop()
    return found
  }

  async function countAccounts(name: string): Promise<number> {
    const api = await world.installation.startApi()
    const { credential } = tenants.get(name) ?? assert.fail(name)
    const { body } = await api.call('GET', '/accounts', { token: await api.token(credential) })
    await api.process.stop()
    return body.pagination.count
  }

  const residenceIn = (cell: string, name: string) =>
    world.rows(cell, 'select state, epoch::integer from cell.residence where tenant_id = $1', [idOf(name)])

  test('a restored cell does not claim a tenant that has left it, and names the one that it has lost', async () => {
    await restore('east')
    assert.deepEqual(await residenceIn('east', 'leaver'), [{ state: 'here', epoch: 1 }], 'as at the moment')
    const expected = [
      `tenant ${idOf('leaver')} has moved to cell west since, which serves it: delete its rows from before with ` +
        `maintain finish-move --tenant ${idOf('leaver')} --cell east`,
      ...['arriver', 'guest'].map(
        (name) =>
          `tenant ${idOf(name)} is NOT SERVED: it moved after the moment, and cell east does not have its rows; ` +
          'no cell that can be reached has a copy: restore cell east to a moment after the move',
      ),
    ]
    // The directory is right, so another cell may be down.
    assert.deepEqual(residenceOf(await runAfterRestore(['--cell', 'east'], withoutWest())), expected.toSorted())
    assert.deepEqual(await residenceIn('east', 'leaver'), [{ state: 'left', epoch: 1 }])
    assert.deepEqual(await statuses(), { leaver: 200, stayer: 200, arriver: 503, guest: 503 })
  })

  test('serve-copy reports the losses, and then serves the tenant from the cell that it has left', async () => {
    const tenantId = idOf('arriver')
    const args = ['serve-copy', '--tenant', tenantId, '--cell', 'west']
    for (const [cell, message] of [
      ['main', /Cell main has no copy of the tenant/],
      ['east', /Cell east has no copy of the tenant/],
    ] as const)
      assert.match((await world.maintain([...args.slice(0, -1), cell, '--accept-loss'])).output, message)
    const down = await world.maintain([...args, '--accept-loss'], { OWNER_CELLS: without('east') })
    assert.match(down.output, /Cell east cannot be reached, and it may have the tenant/)
    const asked = await world.maintain(args)
    assert.equal(asked.code, 1)
    assert.match(asked.output, /what cell east accepted after that is lost\. Nothing was changed/)
    assert.deepEqual(await residenceIn('west', 'arriver'), [{ state: 'left', epoch: 1 }])

    const printed = await world.maintained([...args, '--accept-loss'])
    const kept = Number(printed[0]?.['last_event'])
    assert.deepEqual([printed[0]?.['epoch'], kept > 0], [3, true])
    assert.deepEqual(await residenceIn('west', 'arriver'), [{ state: 'here', epoch: 3 }])
    assert.deepEqual(await statuses(), { leaver: 200, stayer: 200, arriver: 200, guest: 503 })
    assert.equal(await countAccounts('arriver'), 1, 'the account that reached the copy')
    const heads =
      'select last_sequence::text as last, kept_sequence::integer as kept from cell.event_head where tenant_id = $1'
    const [head] = await world.rows<{ last: string; kept: number }>('west', heads, [tenantId])
    assert.ok(Number(head?.last) > 1e9 && head?.kept === kept, JSON.stringify(head))
    const stops = await world.rows('west', 'select resumed_at from cell.payout_stop where tenant_id = $1', [tenantId])
    assert.deepEqual(stops, [{ resumed_at: null }], 'payouts are stopped')
    const others = await world.rows('west', 'select from cell.payout_stop where tenant_id <> $1', [tenantId])
    assert.equal(others.length, 0, 'payouts of other tenants are not')
    await world.maintained(['verify-audit', '--tenant', tenantId])
    assert.match((await world.maintain([...args, '--accept-loss'])).output, /is served by cell west already/)
    await world.maintained(['finish-move', '--tenant', tenantId])
    assert.deepEqual(
      await world.rows('west', 'select from pg_subscription where subname like $1', [
        `move_${tenantId.replaceAll('-', '')}%`,
      ]),
      [],
    )
  })

  test('its way back is closed, and finish-move deletes the rows that came back', async () => {
    const tenantId = idOf('leaver')
    const back = await world.maintain(['move-tenant', '--tenant', tenantId, '--back'])
    assert.match(back.output, /complete maintain finish-move first/)
    const home = await world.maintain(['finish-move', '--tenant', tenantId, '--cell', 'west'])
    assert.match(home.output, /The tenant is in cell west: nothing was deleted/)
    await world.maintained(['finish-move', '--tenant', tenantId, '--cell', 'east'])
    assert.deepEqual(await world.rows('east', 'select from cell.tenant where id = $1', [tenantId]), [])
    assert.deepEqual(await world.rows('main', 'select from directory.tenant_move where tenant_id = $1', [tenantId]), [])
  })

  test('a restored directory learns again where the tenants are', async () => {
    await restore('main')
    const located = 'select cell, epoch::integer from directory.tenant where id = $1'
    assert.deepEqual(await world.rows('main', located, [idOf('leaver')]), [{ cell: 'east', epoch: 1 }])
    const revoked = join(mkdtempSync(join(tmpdir(), 'investor-token-revoked-')), 'none')
    writeFileSync(revoked, '')
    const args = ['--directory', '--cell', 'main', '--revoked', revoked]
    const incomplete = await runAfterRestore(args, withoutWest())
    assert.equal(incomplete.code, 1)
    assert.match(incomplete.output, /Cell west cannot be reached, .* start it, then run the command again/)
    const expected = [
      `tenant ${idOf('leaver')} has moved to cell west since: the directory says so again`,
      // Its move is lost with the directory, but the directory still finds that its copy was served.
      `tenant ${idOf('arriver')} has moved to cell west since: the directory says so again`,
      `tenant ${idOf('guest')} is NOT SERVED: it moved after the moment, and cell west does not have its rows; ` +
        `cell west has the copy that a move left there: maintain serve-copy --tenant ${idOf('guest')} --cell west`,
    ]
    assert.deepEqual(residenceOf(await runAfterRestore(args)), expected.toSorted())
    assert.deepEqual(await world.rows('main', located, [idOf('leaver')]), [{ cell: 'west', epoch: 2 }])
    assert.deepEqual(await statuses(), { leaver: 200, stayer: 200, arriver: 200, guest: 503 })
  })

  test('serve-copy serves a tenant of which the restored directory knows no move', async () => {
    const args = ['serve-copy', '--tenant', idOf('guest'), '--cell', 'west', '--accept-loss']
    await world.maintained(args)
    assert.deepEqual(await residenceIn('west', 'guest'), [{ state: 'here', epoch: 3 }])
    assert.deepEqual(await statuses(), { leaver: 200, stayer: 200, arriver: 200, guest: 200 })
    await world.maintained(['move-tenant', '--tenant', idOf('guest'), '--to', 'east'])
    const served = await world.maintain(args)
    assert.match(served.output, /Cell east has the tenant: it is not missing/)
  })
})

describe('where a tenant is after a restore', () => {
  const tenantId = crypto.randomUUID()
  const judge = (
    location: [cell: string, epoch: number],
    residences: [cell: string, state: 'here' | 'leaving' | 'left', epoch: number][],
    restored: { cells: string[]; isDirectory: boolean },
  ) =>
    judgeResidence(
      {
        tenantId,
        location: { cell: location[0], epoch: BigInt(location[1]) },
        residences: residences.map(([cell, state, epoch]) => ({ cell, state, epoch: BigInt(epoch) })),
      },
      { ...restored, cells: new Set(restored.cells), unreachable: new Set(['down']) },
    )

  test('a switch that was under way at the moment and was undone later is undone again', () => {
    const verdict = judge(['a', 1], [['a', 'leaving', 1]], { cells: ['a'], isDirectory: false })
    assert.deepEqual([verdict.isMissing, verdict.stale, verdict.location.cell], [false, [], 'a'])
  })

  test('a directory that went back to the middle of a switch names the cell that has accepted the tenant', () => {
    const residences = [
      ['a', 'leaving', 1],
      ['b', 'here', 2],
    ] as [string, 'here' | 'leaving', number][]
    const verdict = judge(['a', 1], residences, { cells: [], isDirectory: true })
    assert.deepEqual(verdict.location, { cell: 'b', epoch: 2n })
  })

  test('a tenant that moved and returned has its latest epoch, and the other cell is stale', () => {
    const residences = [
      ['a', 'here', 3],
      ['b', 'here', 2],
    ] as [string, 'here', number][]
    const verdict = judge(['b', 2], residences, { cells: ['b'], isDirectory: true })
    assert.deepEqual([verdict.location, verdict.stale], [{ cell: 'a', epoch: 3n }, ['b']])
  })

  test('a directory that was not restored is right, whatever a restored cell claims', () => {
    const verdict = judge(['b', 2], [['a', 'here', 5]], { cells: ['a'], isDirectory: false })
    assert.deepEqual([verdict.location.cell, verdict.stale, verdict.isMissing], ['b', ['a'], true])
  })

  test('a tenant of a cell that is down is not missing, and the cell that it has left is stale', () => {
    const verdict = judge(['down', 2], [['a', 'here', 1]], { cells: ['a'], isDirectory: false })
    assert.deepEqual([verdict.stale, verdict.isMissing], [['a'], false])
  })
})
