import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { declaredCommands, type MaintainLogin } from './harness/installation/maintain-commands.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = 'docs/operations/maintain.md'
const written = [
  ...globSync(['docs/**/*.md', 'deploy/**/*.{md,yaml,txt,ts}', 'service/src/**/*.ts', 'README.md'], { cwd: root }),
].filter((path) => !/node_modules|docs\/decisions|deploy\/test/.test(path))

const loginIn: Record<MaintainLogin, string> = {
  service: '`DATABASE_URL`',
  'service and worker': '`DATABASE_URL`; with `--all` also `WORKER_DATABASE_URL`',
  owner: '`OWNER_DATABASE_URL`',
  superuser: '`OWNER_DATABASE_URL`, a superuser',
}

describe('documents about maintain', async () => {
  const declared = await declaredCommands()
  assert.ok(declared.size > 0)

  test('list every command with the login that it declares', () => {
    const rows = [...read(page).matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, name, login]) => `${name}: ${login}`)
    assert.deepEqual(rows, [...declared].map(([name, login]) => `${name}: ${loginIn[login]}`).toSorted())
  })

  test('name only commands that exist', () => {
    const unknown = written.flatMap((path) =>
      [...read(path).matchAll(/\bmaintain (?:--json )?([a-z]+(?:-[a-z]+)+|migrate)\b/g)]
        .map(([, name = '']) => name)
        .filter((name) => !declared.has(name))
        .map((name) => `${path}: ${name}`),
    )
    assert.deepEqual(unknown, [])
  })

  test('run the commands in only one way: `maintain …`, which one page defines for each installation', () => {
    const other = /npm run (?:--silent )?maintain|run\.ts maintain|exec (?:deploy\/\S*)?worker|maintain\.ts /
    const others = written.filter((path) => path.endsWith('.md') && other.test(read(path)))
    // This page also describes a checkout.
    assert.deepEqual(others, [page])
    for (const [path, count] of [
      ['docs/operations/install.md', 2],
      ['docs/operations/compose.md', 1],
    ] as const)
      assert.equal(read(path).match(/^maintain\(\) \{/gm)?.length, count, path)
  })
})
