import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unprivileged } from '../../../src/dev/local-postgres.ts'
import { connect } from '../installation/database.ts'
import { freePort } from '../installation/process.ts'
import { until } from '../wait.ts'
import type { FailingCluster, FailoverKind } from './failing-cluster.ts'
import { type ConnectedMachine, MachineNetwork } from './machine-network.ts'
import type { PatroniPackages } from './patroni-packages.ts'
import { haproxySettings, patroniSettings, ports } from './patroni-settings.ts'

const recoversWithinMs = 180_000
/** Not shorter: Patroni starts a thread for each request, which would take time from the failover. */
const pollMs = 300

/** Three machines with PostgreSQL and Patroni, another one with etcd, and HAProxy beside the clients. */
export class PatroniCluster implements FailingCluster {
  readonly url: string
  readonly #folder: string
  readonly #network: MachineNetwork
  readonly #packages: PatroniPackages
  readonly #haproxy: ChildProcess

  private constructor(folder: string, network: MachineNetwork, packages: PatroniPackages, port: number) {
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
    this.#folder = folder
    this.#network = network
    this.#packages = packages
    const command = [packages.haproxy, '-db', '-f', join(folder, 'haproxy.cfg')]
    const log = openSync(join(folder, 'haproxy.log'), 'a')
    this.#haproxy = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      ...unprivileged,
      cwd: '/',
      env: packages.environment,
      stdio: ['ignore', log, log],
      detached: true,
    })
    closeSync(log)
  }

  static async create(packages: PatroniPackages): Promise<PatroniCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-patroni-'))
    await chmod(folder, 0o777)
    const network = await MachineNetwork.create(['n1', 'n2', 'n3']).catch(async (error: Error) => {
      await rm(folder, { recursive: true })
      throw error
    })
    const port = await freePort()
    await writeFile(join(folder, 'haproxy.cfg'), haproxySettings(port, network.machines))
    for (const member of network.machines)
      await writeFile(join(folder, `${member.name}.yml`), patroniSettings(member, folder, network.switchAddress))
    const cluster = new PatroniCluster(folder, network, packages, port)
    try {
      cluster.#startEtcd()
      for (const member of network.machines) cluster.#startPatroni(member)
      await cluster.#isWhole()
      return cluster
    } catch (error) {
      await cluster.remove()
      throw error
    }
  }

  async fail(kind: FailoverKind): Promise<void> {
    const former = await this.#primary()
    if (!former) throw new Error('the cluster has no primary')
    await this.#ways[kind](former)
    await this.#isWhole()
  }

  readonly #ways: Readonly<Record<FailoverKind, (former: ConnectedMachine) => Promise<void>>> = {
    killed: async (former) => {
      former.machine.signal('SIGSTOP', 'postgres')
      former.machine.signal('SIGKILL', 'postgres')
      await this.#isReplaced(former)
    },
    lost: async (former) => {
      former.machine.signal('SIGSTOP')
      former.machine.signal('SIGKILL')
      await this.#isReplaced(former)
      this.#startPatroni(former)
    },
    frozen: async (former) => {
      const write = await prepareWrite(former)
      former.machine.signal('SIGSTOP')
      await this.#isReplaced(former)
      // PostgreSQL receives the write as soon as it thaws, before Patroni can shut it down.
      const isAcknowledged = write()
      former.machine.signal('SIGCONT')
      await this.#isWhole()
      await throwIf(isAcknowledged)
    },
    planned: async (former) => {
      const body = JSON.stringify({ leader: former.name })
      const response = await fetch(`${apiOf(former)}/switchover`, { method: 'POST', body })
      if (response.status !== 200) throw new Error(`POST /switchover responded with ${await response.text()}`)
      await this.#isReplaced(former)
    },
    cut: async (former) => {
      const write = await prepareWrite(former)
      await this.#network.cut(former)
      const isAcknowledged = write()
      await this.#isReplaced(former)
      await this.#network.connect(former)
      await this.#isWhole()
      await throwIf(isAcknowledged)
    },
  }

  async remove(): Promise<void> {
    const ended = once(this.#haproxy, 'exit')
    if (this.#haproxy.kill('SIGKILL')) await ended
    await this.#network.remove()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #startEtcd(): void {
    const listen = `http://0.0.0.0:${ports.etcd}`
    const advertise = `http://${this.#network.switchAddress}:${ports.etcd}`
    const data = ['--data-dir', join(this.#folder, 'etcd'), '--unsafe-no-fsync']
    const command = [this.#packages.etcd, ...data, '--listen-client-urls', listen, '--advertise-client-urls', advertise]
    this.#network.switch.start(command, join(this.#folder, 'etcd.log'), this.#packages.environment)
  }

  #startPatroni({ name, machine }: ConnectedMachine): void {
    const command = [...this.#packages.patroni, join(this.#folder, `${name}.yml`)]
    machine.start(command, join(this.#folder, `${name}.log`), this.#packages.environment)
  }

  async #primary(other?: ConnectedMachine): Promise<ConnectedMachine | undefined> {
    const candidates = this.#network.machines.filter((member) => member !== other)
    const responses = await Promise.all(candidates.map((member) => read(`${apiOf(member)}/primary`)))
    return candidates[responses.findIndex((response) => response?.status === 200)]
  }

  #isReplaced(former: ConnectedMachine): Promise<void> {
    return this.#until('another member is primary', async () => (await this.#primary(former)) !== undefined)
  }

  /** Waits until there is one primary, and all other members follow it and count for its commits. */
  #isWhole(): Promise<void> {
    return this.#until('all members follow the primary', async () => {
      const primary = await this.#primary()
      const cluster = primary && (await read(`${apiOf(primary)}/cluster`))
      const members = ((cluster?.body as { members?: MemberState[] } | undefined)?.members ?? []).filter(
        ({ role, state }) => role === 'leader' || (role === 'quorum_standby' && state === 'streaming'),
      )
      const timelines = new Set(members.map(({ timeline }) => timeline))
      return members.length === this.#network.machines.length && timelines.size === 1
    })
  }

  async #until(description: string, condition: () => Promise<boolean>): Promise<void> {
    const isTrue = async () => (await condition()) || sleep(pollMs, false)
    await until(description, isTrue, recoversWithinMs).catch(async (error: Error) => {
      const logs = await Promise.all(
        ['etcd', 'haproxy', ...this.#network.machines.map(({ name }) => name)].map(async (name) => {
          const log = await readFile(join(this.#folder, `${name}.log`), 'utf8').catch(() => '')
          return `${name}:\n${log.split('\n').slice(-20).join('\n')}`
        }),
      )
      throw new Error(`${error.message}\n${logs.join('\n')}`)
    })
  }
}

interface MemberState {
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

const apiOf = ({ clientAddress }: ConnectedMachine) => `http://${clientAddress}:${ports.patroni}`

/** Returns undefined if the member does not respond: it is lost, frozen or about to start. */
async function read(url: string): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return { status: response.status, body: await response.json() }
  } catch {
    return undefined
  }
}

/** Prepares a write straight to this member. It resolves to true if the member acknowledges it after all. */
async function prepareWrite({ clientAddress }: ConnectedMachine): Promise<() => Promise<boolean>> {
  const client = await connect(`postgres://postgres@${clientAddress}:${ports.postgres}/postgres`)
  return () =>
    client.query('create table written_to_former_primary ()').then(
      () => true,
      () => false,
    )
}

async function throwIf(isAcknowledged: Promise<boolean>): Promise<void> {
  if (await isAcknowledged) throw new Error('the former primary has acknowledged a write')
}
