import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [library] = globSync([
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/*/softhsm/libsofthsm2.so',
  '/usr/lib64/**/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
])

/** Reason to skip HSM tests, or false. In CI they always run, so that they fail if SoftHSM is missing. */
export const softHsmIsMissing =
  library === undefined && !process.env['CI'] ? 'SoftHSM is not installed: on Debian it is the package softhsm2' : false

const variable = 'SOFTHSM2_CONF'

/** A PKCS#11 module in software with one token. Only one per process: an environment variable configures it. */
export class SoftHsm {
  readonly path: string
  readonly pin = '1234'
  readonly configuration: string
  readonly #folder: string
  readonly #configurationBefore = process.env[variable]

  private constructor(path: string, folder: string, configuration: string) {
    this.path = path
    this.configuration = configuration
    this.#folder = folder
  }

  static async create(): Promise<SoftHsm> {
    if (library === undefined) throw new Error('SoftHSM is not installed: on Debian it is the package softhsm2')
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-hsm-'))
    await mkdir(join(folder, 'tokens'))
    const configuration = join(folder, 'softhsm2.conf')
    await writeFile(configuration, `directories.tokendir = ${folder}/tokens\nlog.level = ERROR\n`)
    // The library reads the variable when it is initialized, including in this process.
    const hsm = new SoftHsm(library, folder, configuration)
    process.env[variable] = configuration
    const token = ['--init-token', '--free', '--label', 'test', '--so-pin', '5678', '--pin', hsm.pin]
    execFileSync('softhsm2-util', token, { stdio: ['ignore', 'ignore', 'pipe'] })
    return hsm
  }

  /** Settings for a process that uses this HSM. */
  get settings(): Record<string, string> {
    return { PKCS11_MODULE: this.path, PKCS11_PIN: this.pin, SOFTHSM2_CONF: this.configuration }
  }

  remove(): Promise<void> {
    if (this.#configurationBefore === undefined) delete process.env[variable]
    else process.env[variable] = this.#configurationBefore
    return rm(this.#folder, { recursive: true, force: true })
  }
}
