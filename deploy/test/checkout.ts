import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url))

/** A copy of the files that a release reads and writes, so that a test can release without changing the project. */
export class Checkout {
  readonly path = mkdtempSync(join(tmpdir(), 'investor-token-release-'))
  readonly workspaces: readonly string[]

  constructor() {
    this.workspaces = this.#copyJson('package.json')['workspaces'] as string[]
    for (const folder of this.workspaces) this.#copy(`${folder}/package.json`)
    for (const file of ['package-lock.json', 'CHANGELOG.md', '.changeset/config.json', '.config/squawk.toml'])
      this.#copy(file)
    for (const file of ['sdk/src/version.ts', 'cli/src/base/version.ts']) this.#copy(file)
    for (const file of ['service/openapi.json', 'service/operator-openapi.json', 'service/migrations']) this.#copy(file)
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8')
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of any document
  json(file: string): any {
    return JSON.parse(this.read(file))
  }

  write(file: string, content: string | object): void {
    const path = join(this.path, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }

  changeset(name: string, bump: 'patch' | 'minor', text: string): void {
    this.write(`.changeset/${name}.md`, `---\n"@investor-token/service": ${bump}\n---\n\n${text}\n`)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  #copy(file: string): void {
    cpSync(join(projectRoot, file), join(this.path, file), { recursive: true })
  }

  #copyJson(file: string): Record<string, unknown> {
    this.#copy(file)
    return this.json(file)
  }
}
