import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Machine } from './machine.ts'

const run = promisify(execFile)

/** A machine that is connected to the others by one network and to its clients by another. */
export interface ConnectedMachine {
  readonly name: string
  readonly machine: Machine
  /** Address for the other machines. */
  readonly address: string
  /** Address for this process and its children. */
  readonly clientAddress: string
}

/** Machines on one switch, which is a machine, too. A cut machine stays reachable for its clients. */
export class MachineNetwork {
  readonly switch: Machine
  readonly switchAddress = '198.19.0.254'
  readonly machines: ConnectedMachine[] = []

  private constructor(switching: Machine) {
    this.switch = switching
  }

  static async create(names: readonly string[]): Promise<MachineNetwork> {
    const network = new MachineNetwork(await Machine.start())
    try {
      await network.switch.ip('link', 'add', 'members', 'type', 'bridge')
      await network.switch.ip('address', 'add', `${network.switchAddress}/24`, 'dev', 'members')
      await network.switch.ip('link', 'set', 'members', 'up')
      for (const name of names) await network.#add(name, await Machine.start())
      return network
    } catch (error) {
      await network.remove()
      throw error
    }
  }

  /** Drops packets between this machine and the others, without notifying either side. */
  cut({ name }: ConnectedMachine): Promise<void> {
    return this.switch.ip('link', 'set', name, 'nomaster')
  }

  connect({ name }: ConnectedMachine): Promise<void> {
    return this.switch.ip('link', 'set', name, 'master', 'members')
  }

  async remove(): Promise<void> {
    for (const { machine } of this.machines) await machine.remove()
    await this.switch.remove()
  }

  async #add(name: string, machine: Machine): Promise<void> {
    const number = this.machines.length + 1
    // Both ranges are reserved for benchmarks. The second depends on the process, so that two drills can run at once.
    const address = `198.19.0.${number}`
    const subnet = `198.18.${process.pid % 256}`
    const clientAddress = `${subnet}.${number * 4 + 2}`
    const connected = { name, machine, address, clientAddress }
    this.machines.push(connected)
    await this.switch.ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'others', 'netns', String(machine.pid))
    await this.switch.ip('link', 'set', name, 'up')
    await this.connect(connected)
    const link = `drill${process.pid}${name}`
    const peer = ['peer', 'name', 'clients', 'netns', String(machine.pid)]
    await run('ip', ['link', 'add', link, 'type', 'veth', ...peer])
    await run('ip', ['address', 'add', `${subnet}.${number * 4 + 1}/30`, 'dev', link])
    await run('ip', ['link', 'set', link, 'up'])
    for (const [device, own] of Object.entries({ others: `${address}/24`, clients: `${clientAddress}/30` })) {
      await machine.ip('address', 'add', own, 'dev', device)
      await machine.ip('link', 'set', device, 'up')
    }
  }
}
