import pg from 'pg'
import { newRowId } from '../base/ids.ts'
import { LoggableError } from '../base/log.ts'
import { connectForMaintenance, inClientTransaction } from './maintenance-client.ts'

/** Findings and actions of a step, as sentences for the operator. */
export type StepReport = readonly string[]

/** The database cannot be prepared; the message says what the operator has to do. */
export class RestoreRejected extends LoggableError {
  override readonly name = 'RestoreRejected'
}

/**
 * A database that was restored to an earlier moment, through the login that owns it. No one else can connect from
 * `close` until `open`, although the service keeps trying: the right to connect is revoked, and stored to be granted
 * again. Each step commits with its report, so an interrupted command continues after the last completed step.
 */
export class RestoredDatabase {
  readonly #client: pg.Client
  #report: Record<string, StepReport> = {}

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async connect(url: string): Promise<RestoredDatabase> {
    return new RestoredDatabase(await connectForMaintenance(url, 'after-restore'))
  }

  async end(): Promise<void> {
    await this.#client.end()
  }

  /**
   * Revokes the right to connect from everyone but the owner, and requires that no one else is connected: the following
   * steps would miss what another process writes. `to` is the moment as the operator gave it, to the microsecond.
   */
  async close(to: string): Promise<void> {
    await this.#requireOwner()
    await this.transaction(async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('base.restoration', 0))`)
      const { rows } = await client.query<{ isSame: boolean; report: Record<string, StepReport>; to: string }>(
        `select report, restored_to = $1::timestamptz as "isSame", restored_to::text as "to"
         from base.restoration where opened_at is null`,
        [to],
      )
      const [unfinished] = rows
      if (unfinished && !unfinished.isSame && Object.keys(unfinished.report).length > 0)
        throw new RestoreRejected(`An unfinished run was started with --to "${unfinished.to}": give the same moment.`)
      this.#report = unfinished?.report ?? {}
      if (unfinished) await client.query('update base.restoration set restored_to = $1 where opened_at is null', [to])
      else await this.#insertRestoration(client, to)
    })
    const others = await this.#otherConnections()
    if (others.length > 0)
      throw new RestoreRejected(
        `The database is closed for new connections, but ${others.length} other connections exist: ` +
          `${others.slice(0, connectionsShownMax).join(', ')}. Stop those processes, or end the connections with ` +
          'pg_terminate_backend, then run the command again.',
      )
    await this.#grantServiceRoles()
  }

  /** Grants the right to connect again to those who had it. The restore is complete. */
  async open(): Promise<void> {
    await this.transaction(async (client) => {
      const { rows } = await client.query<{ grantees: string[] }>(
        `update base.restoration set opened_at = clock_timestamp() where opened_at is null
         returning connect_grantees as grantees`,
      )
      const name = await databaseName(client)
      for (const grantee of rows[0]?.grantees ?? [])
        await client.query(`grant connect on database ${name} to ${roleName(grantee)}`)
    })
  }

  /** Reports of the completed steps, by name. */
  get report(): Readonly<Record<string, StepReport>> {
    return this.#report
  }

  /** Runs a step that changes only this database, and stores in the same transaction that it is complete. */
  async step(name: string, work: (client: pg.Client) => Promise<StepReport>): Promise<void> {
    if (this.#report[name]) return
    const report = await this.transaction(async (client) => {
      const lines = await work(client)
      await this.#store(name, lines)
      return lines
    })
    this.#report[name] = report
  }

  /** Runs a step that also calls others, such as a node. If it is interrupted, it runs again. */
  async repeatableStep(name: string, work: () => Promise<StepReport>): Promise<void> {
    if (this.#report[name]) return
    const lines = await work()
    await this.#store(name, lines)
    this.#report[name] = lines
  }

  async #store(name: string, lines: StepReport): Promise<void> {
    await this.#client.query(
      `update base.restoration set report = report || jsonb_build_object($1::text, $2::jsonb) where opened_at is null`,
      [name, JSON.stringify(lines)],
    )
  }

  async transaction<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return inClientTransaction(this.#client, () => work(this.#client))
  }

  /** Stores who may connect, and revokes that right in the same transaction. */
  async #insertRestoration(client: pg.Client, to: string): Promise<void> {
    const { rows } = await client.query<{ grantee: string }>(
      `select coalesce(pg_roles.rolname, '') as grantee
       from pg_database cross join aclexplode(coalesce(datacl, acldefault('d', datdba))) acl
       left join pg_roles on pg_roles.oid = acl.grantee
       where datname = current_database() and acl.privilege_type = 'CONNECT' and acl.grantee <> datdba`,
    )
    const grantees = rows.map(({ grantee }) => grantee)
    await client.query('insert into base.restoration (id, restored_to, connect_grantees) values ($1, $2, $3)', [
      newRowId(),
      to,
      grantees,
    ])
    const name = await databaseName(client)
    for (const grantee of grantees) await client.query(`revoke connect on database ${name} from ${roleName(grantee)}`)
  }

  async #requireOwner(): Promise<void> {
    const { rows } = await this.#client.query<{ isOwner: boolean }>(
      `select pg_has_role(datdba, 'usage') as "isOwner" from pg_database where datname = current_database()`,
    )
    if (!rows[0]?.isOwner)
      throw new RestoreRejected(
        'The login does not own the database: set OWNER_DATABASE_URL or OWNER_CELLS to the login that does.',
      )
  }

  async #otherConnections(): Promise<string[]> {
    // Sessions without a user are background processes of the server, such as autovacuum.
    const { rows } = await this.#client.query<{ text: string }>(
      `select usename || ' (pid ' || pid || ')' as text from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null order by pid`,
    )
    return rows.map(({ text }) => text)
  }

  /** Grants the owner the service's roles, which the queries of the steps need. An owner may grant them to itself. */
  async #grantServiceRoles(): Promise<void> {
    const { rows } = await this.#client.query<{ role: string }>(
      `select role from unnest(array['investor_token_app', 'investor_token_worker']) role
       where not pg_has_role(current_user, role, 'member')`,
    )
    for (const { role } of rows)
      await this.#client.query(`grant ${role} to current_user`).catch(() => {
        throw new RestoreRejected(`The owner's login cannot use ${role}: grant it as a superuser, then run again.`)
      })
  }
}

/**
 * Lets the owner see the rows of all tenants in these tables until the end of the transaction. Policies bind an owner
 * only because of `force`; they keep binding the roles of the service. Locks the tables. The list may be empty for work
 * on one tenant in a cell that serves others, but then the login must be a superuser.
 */
export async function withoutForcedPolicies<Result>(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const table of tables) await client.query(`alter table ${table} no force row level security`)
  const result = await work()
  for (const table of tables) await client.query(`alter table ${table} force row level security`)
  return result
}

const connectionsShownMax = 5

async function databaseName(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  return rows[0]?.name ?? ''
}

function roleName(grantee: string): string {
  return grantee === '' ? 'public' : pg.escapeIdentifier(grantee)
}
