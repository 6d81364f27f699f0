/** Resource that the files of a process share, as the runner sees it. */
interface Shared {
  end(): Promise<void>
  /** Ports of its servers, and of the servers that it uses. */
  ports(): readonly number[]
  /** Tables with changed rows of tenants that existed before the last call. */
  changedRowsOfOthers(): Promise<string[]>
  /** Programs that it runs in processes of their own. */
  programs?(): readonly string[]
  /** Things that the file that has just ended should have closed. */
  leftOpen?(): readonly string[]
}

const shared: Shared[] = []
let isGroup = false

/**
 * Ends it after the last file of a process. Returns false if no runner started the process, which then has one file.
 */
export function shareInProcess(one: Shared): boolean {
  shared.push(one)
  return isGroup
}

/** Marks the process as a group. The runner calls it before it loads the files. */
export function beginGroup(): void {
  isGroup = true
}

/** Ends all shared resources. The runner calls it after the last file. */
export async function endGroup(): Promise<void> {
  for (const one of shared) await one.end()
}

export function isOfSharedInstallation(port: number): boolean {
  return shared.some((one) => one.ports().includes(port))
}

export async function changedRowsOfOthers(): Promise<string[]> {
  return (await Promise.all(shared.map((one) => one.changedRowsOfOthers()))).flat()
}

export function isSharedProgram(path: string): boolean {
  return shared.some((one) => one.programs?.().includes(path))
}

export function leftOpenInShared(): string[] {
  return shared.flatMap((one) => one.leftOpen?.() ?? [])
}
