import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type RunningProcess, startNode } from '../../../service/test/harness/installation/process.ts'
import { projectRoot } from '../checkout.ts'

/** Files that the processes of a release read. Packages come from the project. */
const parts = [
  'package.json',
  'service/package.json',
  'service/src',
  'service/migrations',
  'service/pages',
  'contracts/artifacts',
]

/**
 * Migrations of a possible next release: a column and an index for a cell's busiest table, a column in the directory.
 */
const nextMigrations = {
  'service/migrations/cell/9999_next.sql': `
    set local lock_timeout = '2s';
    alter table cell.token_order add column next_note text not null default '';
    create index token_order_next_note on cell.token_order (tenant_id, next_note) where next_note <> '';`,
  'service/migrations/directory/9999_next.sql': `
    set local lock_timeout = '2s';
    alter table directory.tenant add column next_note text;`,
}

export type Main = 'api' | 'worker' | 'indexer'

/** The source of one release, in a separate folder. */
export class ReleaseTree {
  readonly name: string
  readonly #root: string

  private constructor(name: string) {
    this.name = name
    this.#root = mkdtempSync(join(tmpdir(), 'investor-token-release-'))
    symlinkSync(join(projectRoot, 'node_modules'), join(this.#root, 'node_modules'))
  }

  /**
   * Returns the last release or, until there is one, the commit before; or this one if migrations were edited since
   * then, which is possible until the first release.
   */
  static previous(): ReleaseTree {
    const revision = git('describe', '--tags', '--abbrev=0', '--match', 'v*') ?? git('rev-parse', '--verify', 'HEAD^')
    if (revision !== undefined) {
      const tree = new ReleaseTree(revision)
      const archive = execFileSync('git', ['archive', revision, ...parts], { cwd: projectRoot, maxBuffer: 2 ** 30 })
      execFileSync('tar', ['-x', '-C', tree.#root], { input: archive })
      if (tree.#migrations().every((file) => isSame(join(tree.#root, file), join(projectRoot, file)))) return tree
      tree.remove()
    }
    return ReleaseTree.#current('this release')
  }

  /** Returns this release with the migrations of a next one. */
  static next(): ReleaseTree {
    const tree = ReleaseTree.#current('next release')
    for (const [file, text] of Object.entries(nextMigrations)) writeFileSync(join(tree.#root, file), text)
    return tree
  }

  static #current(name: string): ReleaseTree {
    const tree = new ReleaseTree(name)
    for (const part of parts) {
      mkdirSync(dirname(join(tree.#root, part)), { recursive: true })
      cpSync(join(projectRoot, part), join(tree.#root, part), { recursive: true })
    }
    return tree
  }

  start(main: Main, settings: Record<string, string>): RunningProcess {
    return this.#run(['--import', this.#main('telemetry'), this.#main(main)], settings)
  }

  /** Returns the migrations that were missing. */
  async migrate(settings: Record<string, string>): Promise<readonly string[]> {
    const { ended, output } = this.#run([this.#main('maintain'), '--json', 'migrate'], settings)
    if ((await ended) !== 0) throw new Error(`migrate failed: ${output.join('\n')}`)
    return JSON.parse(output.at(-1) ?? '{}').migrations
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  #run(args: string[], settings: Record<string, string>): RunningProcess {
    return startNode(['--import', './test/harness/installation/test-process.ts', ...args], settings)
  }

  #main(name: string): string {
    // Earlier releases had their commands there too.
    const folders = ['main', 'maintain'].map((folder) => join(this.#root, 'service/src', folder, `${name}.ts`))
    return folders.find(existsSync) ?? ''
  }

  #migrations(): string[] {
    return globSync('service/migrations/*/*.sql', { cwd: this.#root })
  }
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

function isSame(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other))
}
