import pg from 'pg'
import type { TestInstallation } from './test-installation.ts'

/** A connection with the role of the application, which row-level security applies to. */
export class ApplicationClient {
  readonly client: pg.Client

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async connect(installation: TestInstallation): Promise<ApplicationClient> {
    const client = new pg.Client({
      connectionString: installation.config.databaseUrl,
      options: '-c role=investor_token_app',
    })
    await client.connect()
    return new ApplicationClient(client)
  }

  /** Runs work in a transaction of this tenant, or of no tenant, and rolls it back. */
  async asTenant<Result>(tenantId: string | undefined, work: () => Promise<Result>): Promise<Result> {
    await this.client.query('begin')
    try {
      if (tenantId) await this.client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      return await work()
    } finally {
      await this.client.query('rollback')
    }
  }

  async end(): Promise<void> {
    await this.client.end()
  }
}
