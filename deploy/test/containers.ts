import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The image under test. `.ci/image` builds it and sets the variable where containers can run. */
export const testImage = process.env['TEST_IMAGE'] ?? ''

/** Reason why tests of the image are skipped, or false. */
export const imageIsMissing = testImage ? false : 'TEST_IMAGE is not set: .ci/image builds the image and sets it'

/** Podman options with which the tests run every process. No process may need more. */
export const hardened = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--memory=640m',
  '--pids-limit=100',
]

export const podmanEnvironment = {
  ...process.env,
  CONTAINERS_CONF: fileURLToPath(new URL('containers.conf', import.meta.url)),
}

/** Runs podman and returns what it prints, without the last line break. */
export async function podman(...parameters: string[]): Promise<string> {
  const options = { env: podmanEnvironment, maxBuffer: 1e8 }
  const { stdout } = await promisify(execFile)('podman', parameters, options)
  return stdout.trimEnd()
}

/** Returns the exit code of a podman command that may fail, and everything that it printed. */
export async function podmanResult(...parameters: string[]): Promise<{ code: number; output: string }> {
  const options = { env: podmanEnvironment, maxBuffer: 1e8 }
  return promisify(execFile)('podman', parameters, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  )
}

/** Returns the id that the process in a running container has on this machine. */
export async function pidOf(container: string): Promise<number> {
  return Number(await podman('inspect', '--format', '{{.State.Pid}}', container))
}

/** Returns a line of /proc/…/status, such as `VmRSS`. */
export function statusOf(pid: number, name: string): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
}

/** Returns the CPU time that a process has used, in seconds. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The fields after the name, which is in parentheses; Linux counts in hundredths of a second.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user ?? 0) + (system ?? 0)) / 100
}

/** Waits until the address responds 200. Throws with the container's log if it ends or does not become ready. */
export async function untilReady(url: string, container: string, timeoutMs = 180_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    const isRunning = (await podman('inspect', '--format', '{{.State.Running}}', container)) === 'true'
    if (!isRunning || performance.now() > deadline) {
      const { output } = await podmanResult('logs', '--tail', '30', container)
      throw new Error(`${container} is not ready at ${url}${isRunning ? '' : ', it has ended'}:\n${output}`)
    }
    await sleep(100)
  }
}
