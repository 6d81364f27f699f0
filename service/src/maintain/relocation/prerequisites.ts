import { hasRows } from './copies.sql.ts'
import { MoveRejected } from './move-rejected.ts'
import { countEntriesToAppend } from './moved-audit.sql.ts'
import { auditTables, replicatedTables } from './moved-tables.ts'
import {
  findResidence,
  findSchemaVersion,
  findServerFacts,
  findTakenAddresses,
  isBeingRestored,
  type ServerFacts,
} from './prerequisites.sql.ts'
import type { MovingCell } from './replication.sql.ts'

interface NewMove {
  readonly tenantId: string
  readonly epoch: bigint
  readonly from: MovingCell
  readonly to: MovingCell
}

/** Rejects a move that could not be completed, before anything is changed, with all reasons at once. */
export async function requirePrerequisites(move: NewMove): Promise<void> {
  const problems = await findProblems(move)
  if (problems.length > 0) throw new MoveRejected(problems.join('\n'))
}

export async function findProblems({ tenantId, epoch, from, to }: NewMove): Promise<string[]> {
  const problems: string[] = []
  for (const { cell, slots } of [
    { cell: from, slots: slotsOfSource },
    { cell: to, slots: 1 },
  ])
    problems.push(...serverProblems(await findServerFacts(cell.client), cell.name, slots))
  for (const { name, client } of [from, to])
    if (await isBeingRestored(client))
      problems.push(`Cell ${name} was restored and is not open yet: complete maintain after-restore first.`)
  if ((await findSchemaVersion(from.client)) !== (await findSchemaVersion(to.client)))
    problems.push(`Cells ${from.name} and ${to.name} have different migrations: run maintain migrate, for both.`)
  // With these problems, the rows of the tenant cannot be read.
  if (problems.length > 0) return problems
  const residence = await findResidence(from.client, tenantId)
  if (residence?.state !== 'here' || residence.epoch !== epoch)
    problems.push(
      `The directory says that the tenant is in cell ${from.name} with epoch ${epoch}, but the cell says ` +
        `${residence ? `${residence.state} with epoch ${residence.epoch}` : 'that it is not there'}: one of the two ` +
        'was restored. Run maintain after-restore.',
    )
  const tables = to.isDirectory ? replicatedTables : [...replicatedTables, ...auditTables]
  const occupied: string[] = []
  for (const table of tables) if (await hasRows(to.client, table, tenantId)) occupied.push(table)
  if (occupied.length > 0)
    problems.push(
      `Cell ${to.name} has rows of the tenant in ${occupied.join(', ')}: they must be empty. If an earlier move left ` +
        'them, delete them with maintain finish-move.',
    )
  const taken = await findTakenAddresses(from.client, to.client, tenantId)
  if (taken.length > 0)
    problems.push(`Another tenant of cell ${to.name} has the ${taken.join(', the ')}: choose another cell.`)
  const entries = to.isDirectory ? await countEntriesToAppend(from, to, tenantId) : 0
  if (entries > appendedEntriesMax)
    problems.push(
      `Cell ${to.name} shares its database with the directory, so ${entries} entries of the audit log would be ` +
        `appended while writes wait, and at most ${appendedEntriesMax} may be: choose another cell.`,
    )
  return problems
}

function serverProblems(facts: ServerFacts, cell: string, slots: number): string[] {
  const problems: string[] = []
  if (facts.walLevel !== 'logical')
    problems.push(`wal_level of cell ${cell} must be logical, not ${facts.walLevel}: set it and restart the server.`)
  for (const [setting, free] of [
    ['max_replication_slots', facts.slotsFree],
    ['max_wal_senders', facts.sendersFree],
  ] as const)
    if (free < slots) problems.push(`${setting} of cell ${cell} must leave ${slots} free, not ${free}: raise it.`)
  if (facts.workers < workersMin)
    problems.push(
      `max_logical_replication_workers of cell ${cell} must be at least ${workersMin}, and max_worker_processes ` +
        'higher: raise them and restart the server.',
    )
  if (/\*/.test(facts.standbyNames))
    problems.push(
      `synchronous_standby_names of cell ${cell} must name the standbys instead of *: the move would count as one.`,
    )
  if (!facts.isSuperuser && !(facts.mayReplicate && facts.bypassesPolicies && facts.maySubscribe))
    problems.push(
      `The login of cell ${cell} in OWNER_CELLS must be a superuser${
        Number.parseInt(facts.version, 10) >= 16 ? ', or have replication, bypassrls and pg_create_subscription' : ''
      }: row-level security would otherwise hide the rows from the copy. Name such a login for this command.`,
    )
  return problems
}

/** One slot for the stream, and one for each table being copied: two at a time by default. */
const slotsOfSource = 4
/** One worker applies and one copies. */
const workersMin = 2
/** Takes about a second. */
const appendedEntriesMax = 10_000
