import type { TestInstallation } from './test-installation.ts'

// Requests are logged after the response, and numbering events or adding up their sums affects all tenants.
const writtenLater = /^cell\.(request_log|event|daily_sum|offering_sum)(_|$)/

/** Watches the rows of all tenants, to find a file that changes those of another file's tenants. */
export class RowsOfTenants {
  readonly #installation: TestInstallation
  #query: string | undefined
  #states = new Map<string, string>()
  #tenants = new Set<string>()

  constructor(installation: TestInstallation) {
    this.#installation = installation
  }

  /** Returns the tables with changed rows of tenants that existed at the last call. */
  async changedOfOthers(): Promise<string[]> {
    this.#query ??= await this.#queryOfAllTables()
    const rows = await this.#installation.rows<{ name: string; tenant_id: string; state: string }>(this.#query ?? '')
    const states = new Map(rows.map(({ name, tenant_id, state }) => [`${name} ${tenant_id}`, state]))
    const changed = [...new Set([...states.keys(), ...this.#states.keys()])]
      .filter((key) => states.get(key) !== this.#states.get(key))
      .map((key) => key.split(' ') as [table: string, tenantId: string])
      .filter(([table, tenantId]) => this.#tenants.has(tenantId) && !writtenLater.test(table))
    this.#states = states
    this.#tenants = new Set(rows.map(({ tenant_id }) => tenant_id))
    return [...new Set(changed.map(([table]) => table))]
  }

  /** Returns a query for the number of each tenant's rows, and for the last transaction that wrote one. */
  async #queryOfAllTables(): Promise<string> {
    const rows = await this.#installation.rows<{ name: string }>(`select format('%I.%I', n.nspname, c.relname) as name
         from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
         where n.nspname in ('cell', 'directory') and c.relkind = 'r' order by 1`)
    return rows
      .map(
        ({ name }) => `select '${name}' as name, tenant_id::text, count(*) || ' ' || max(xmin::text::bigint) as state
          from ${name} where tenant_id is not null group by tenant_id`,
      )
      .join(' union all ')
  }
}
