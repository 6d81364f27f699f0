import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** A service of deploy/compose.yaml, with the variables of docs/operations/compose.md. */
export interface ComposeService {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly network_mode?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly mem_limit?: string
  readonly pids_limit?: number
  readonly entrypoint?: readonly string[]
  readonly volumes?: readonly { readonly type: 'volume' | 'bind'; readonly source?: string; readonly target: string }[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, { condition: string }>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
export const readProject = (path: string) => readFileSync(join(root, path), 'utf8')

export function composeServices(): Readonly<Record<string, ComposeService>> {
  const variables = variablesOfPage()
  const text = readProject('deploy/compose.yaml').replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name, kind, value) => {
      const found = variables.get(name)
      assert.ok(found ?? kind === '-', `docs/operations/compose.md writes ${name}`)
      return found ?? value
    },
  )
  return (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services
}

/** Runs the commands of the page that write deploy/.env, in another folder. */
function variablesOfPage(): Map<string, string> {
  const [, commands = ''] = /```sh compose\n(.*?)```/s.exec(readProject('docs/operations/compose.md')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'investor-token-compose-'))
  try {
    mkdirSync(join(folder, 'deploy'))
    writeFileSync(join(folder, 'commands'), commands)
    execFileSync('bash', ['-euo', 'pipefail', 'commands'], { cwd: folder })
    const lines = readFileSync(join(folder, 'deploy/.env'), 'utf8').trim().split('\n')
    return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
