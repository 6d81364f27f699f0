import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../../service/src/maintain/migrate/migrate.ts'
import { createAccount } from '../../../service/src/sales/accounts/create-account.ts'
import { DirectOperations } from '../../../service/test/harness/callers/operations.ts'
import { PacedChain } from '../../../service/test/harness/chain/paced-chain.ts'
import { individual } from '../../../service/test/harness/data/bodies.ts'
import { Fixtures } from '../../../service/test/harness/data/fixtures.ts'
import { asOwner } from '../../../service/test/harness/installation/database.ts'
import { TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../service/test/harness/installation/test-users.ts'
import { BackedUpServer } from './backed-up-server.ts'
import { DrillService } from './drill-service.ts'

type Credential = Awaited<ReturnType<TestInstallation['issueCredential']>>

/** A directory and a cell on separate servers with a full backup, a chain, and a tenant that sells tokens. */
export class DrillWorld {
  readonly folder: string
  readonly directory: BackedUpServer
  readonly cell: BackedUpServer
  readonly chain: PacedChain
  readonly service: DrillService
  tenantId = ''
  offeringId = ''
  accountIds: string[] = []
  credentials: Credential[] = []
  operators: TestOperator[] = []

  private constructor(parts: Pick<DrillWorld, 'folder' | 'directory' | 'cell' | 'chain' | 'service'>) {
    this.folder = parts.folder
    this.directory = parts.directory
    this.cell = parts.cell
    this.chain = parts.chain
    this.service = parts.service
  }

  static async create(): Promise<DrillWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-drill-'))
    await chmod(folder, 0o755)
    await BackedUpServer.configure(folder)
    const directory = await BackedUpServer.create('directory', folder)
    const cell = await BackedUpServer.create('cell', folder)
    for (const server of [directory, cell])
      await asOwner(server.url('postgres', 'postgres'), async (client) => {
        await client.query('create role its_owner login createrole')
        await client.query(`create database ${server.name} owner its_owner`)
      })
    const owners = { directory: directory.url('its_owner', 'directory'), cell: cell.url('its_owner', 'cell') }
    await migrate({ ownerDatabaseUrl: owners.directory, ownerCells: new Map([['main', owners.cell]]) }, () => {})
    for (const url of [owners.directory, owners.cell])
      await asOwner(url, async (client) => {
        for (const role of ['app', 'worker']) {
          await client.query(`create role its_${role} login noinherit`)
          await client.query(`grant investor_token_${role} to its_${role}`)
        }
      })
    const chain = await PacedChain.start({ blockSeconds: 0.5 })
    const { settings } = new TestInstallation({
      DATABASE_URL: directory.url('its_app', 'directory'),
      CELLS: `main=${cell.url('its_app', 'cell')}`,
      WORKER_DATABASE_URL: directory.url('its_worker', 'directory'),
      WORKER_CELLS: `main=${cell.url('its_worker', 'cell')}`,
      OWNER_DATABASE_URL: owners.directory,
      OWNER_CELLS: `main=${owners.cell}`,
      CHAINS: `anvil=${chain.url}`,
      BUMP_SECONDS: '3',
    })
    const service = await DrillService.create(settings)
    const world = new DrillWorld({ folder, directory, cell, chain, service })
    await world.#prepare()
    return world
  }

  async backUp(): Promise<void> {
    await Promise.all([this.directory.backUp(), this.cell.backUp()])
  }

  /** Acts as an operator in the console, with a login that may do everything. Its connections end with the work. */
  async asSuperuser<Result>(work: (installation: TestInstallation) => Promise<Result>): Promise<Result> {
    const installation = new TestInstallation({
      DATABASE_URL: this.directory.url('postgres', 'directory'),
      CELLS: `main=${this.cell.url('postgres', 'cell')}`,
    })
    try {
      return await work(installation)
    } finally {
      await installation.end()
    }
  }

  /** Signs in two people, since resuming minting needs two. A restore of the directory requires it again. */
  async signIn(): Promise<void> {
    this.operators = await this.asSuperuser(async (installation) => [
      await installation.createOperator(this.tenantId),
      await installation.createOperator(this.tenantId),
    ])
  }

  async #prepare(): Promise<void> {
    await this.asSuperuser(async (installation) => {
      this.tenantId = await installation.createTenant('Drill')
      const fixtures = new Fixtures(installation, this.cell.url('postgres', 'cell'))
      await fixtures.signer(this.tenantId, this.chain)
      this.offeringId = await fixtures.offering(this.tenantId, { blockchain: 'anvil' })
      const direct = new DirectOperations(installation, this.tenantId)
      for (let count = 0; count < 4; count += 1) {
        const body = { ...individual, kyc: { status: 'APPROVED' } }
        const { id } = await direct.run(createAccount, { body })
        await fixtures.wallet(this.tenantId, id, { blockchain: 'anvil' })
        this.accountIds.push(id)
      }
      for (let count = 0; count < 2; count += 1)
        this.credentials.push(await installation.issueCredential(this.tenantId, { requestsPerMinute: 60_000 }))
    })
    await this.signIn()
  }

  async rows<Row>(text: string, values: unknown[] = [], server = this.cell): Promise<Row[]> {
    return asOwner(server.url('postgres', server.name), async (client) => (await client.query(text, values)).rows)
  }

  async end(): Promise<void> {
    await this.service.killAll()
    await this.directory.crash()
    await this.cell.crash()
    await this.chain.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
