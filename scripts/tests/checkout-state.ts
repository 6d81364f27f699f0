import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromiumPath } from '../../service/test/harness/browser/chromium-path.ts'
import { root } from './tiers.ts'

/** Describes all files that git does not ignore, the versions of the tools, and the settings of the tests. */
export function stateOfCheckout(): string {
  state ??= readState()
  return state
}

let state: string | undefined

function readState(): string {
  const settings = Object.keys(process.env).filter((name) => /^(TEST_(LONG|FULL)|SEED|UPDATE_)/.test(name))
  const tools = [chromiumPath, '/usr/lib/postgresql', '/usr/bin/redis-server'].map((path) =>
    path !== undefined && existsSync(path) ? statSync(path).mtimeMs : 'missing',
  )
  return [treeOfCheckout(), process.version, ...tools, ...settings.map((name) => `${name}=${process.env[name]}`)].join(
    ' ',
  )
}

/** Returns the tree that `git add --all` would commit. Its index and objects are temporary. */
function treeOfCheckout(): string {
  const temporary = mkdtempSync(join(tmpdir(), 'investor-token-index-'))
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        GIT_INDEX_FILE: join(temporary, 'index'),
        GIT_OBJECT_DIRECTORY: temporary,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: pathOf('objects'),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    // The index has the times of the files, so that git reads only those that changed.
    copyFileSync(pathOf('index'), join(temporary, 'index'))
    git('add', '--all')
    return git('write-tree')
  } catch {
    // Outside a git checkout, nothing is known to have passed.
    return String(Math.random())
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Returns the path of a part of git's own folder. */
function pathOf(part: string): string {
  const path = execFileSync('git', ['rev-parse', '--git-path', part], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  return resolve(root, path.trim())
}
