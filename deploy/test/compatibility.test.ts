import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  changedMigrations,
  newMigrations,
  unacceptedChanges,
  writeReleaseRecord,
} from '../../scripts/release-record.ts'
import { isConcurrent } from '../../service/src/maintain/migrate/migration-files.ts'
import { Checkout, projectRoot } from './checkout.ts'

/**
 * Returns the findings of squawk in these files, one line each. Files that create indexes concurrently run without a
 * transaction, and the runner sets their timeouts.
 */
function lint(root: string, files: readonly string[]): string {
  const alone = files.filter((file) => isConcurrent(readFileSync(join(root, file), 'utf8')))
  const others = files.filter((file) => !alone.includes(file))
  return lintWith(root, others, []) + lintWith(root, alone, concurrentFlags)
}

const concurrentFlags = ['--no-assume-in-transaction', '--exclude', 'require-lock-timeout,require-statement-timeout']

function lintWith(root: string, files: readonly string[], flags: readonly string[]): string {
  if (files.length === 0) return ''
  const program = join(projectRoot, 'node_modules/.bin/squawk')
  const args = ['--config', join(projectRoot, '.config/squawk.toml'), '--reporter', 'gcc', ...flags, ...files]
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (error) throw error
  return status === 0 ? '' : stdout + stderr
}

describe('this release', () => {
  test('follows one whose promises are recorded', () => {
    const record = JSON.parse(readFileSync(join(projectRoot, 'service/released/migrations.json'), 'utf8'))
    assert.ok(Object.keys(record).length > 0)
  })

  test('breaks no caller of the last one, except as accepted', () => {
    assert.deepEqual(unacceptedChanges(projectRoot), [])
  })

  test('changes no migration of the last one', () => {
    assert.deepEqual(changedMigrations(projectRoot), [])
  })

  test('has only new migrations that are safe while the last one runs', () => {
    assert.equal(lint(projectRoot, newMigrations(projectRoot)), '')
  })
})

describe('after a release', () => {
  const checkout = new Checkout()
  writeReleaseRecord(checkout.path)
  after(() => checkout.remove())

  test('nothing has changed', () => {
    assert.deepEqual(unacceptedChanges(checkout.path), [])
    assert.deepEqual(changedMigrations(checkout.path), [])
    assert.deepEqual(newMigrations(checkout.path), [])
  })

  for (const [name, path] of [
    ['openapi.json', '/accounts'],
    ['operator-openapi.json', '/offerings'],
  ] as const)
    test(`an operation that is removed from ${name} is found, unless it is accepted with a reason`, () => {
      const document = checkout.json(`service/${name}`)
      const { [path]: removed, ...paths } = document.paths
      checkout.write(`service/${name}`, { ...document, paths })
      const changes = Object.keys(removed).map((method) => `${name}: ${method.toUpperCase()} ${path} was removed`)
      assert.deepEqual(unacceptedChanges(checkout.path), changes)

      const accepted = Object.fromEntries(changes.map((change) => [change, 'Its replacement is as old as the API.']))
      checkout.write('service/released/accepted-changes.json', accepted)
      assert.deepEqual(unacceptedChanges(checkout.path), [])

      checkout.write(`service/${name}`, document)
      assert.deepEqual(
        unacceptedChanges(checkout.path),
        changes.map((change) => `accepted-changes.json accepts a change that does not exist: ${change}`),
      )
      checkout.write('service/released/accepted-changes.json', {})
    })

  test('a released migration that is edited is found', () => {
    const file = 'service/migrations/cell/0001_platform.sql'
    const text = checkout.read(file)
    checkout.write(file, `${text}\n-- edited\n`)
    assert.deepEqual(changedMigrations(checkout.path), [file])
    checkout.write(file, text)
  })

  test('a new migration that would stop writers or break the last release is found', () => {
    const file = 'service/migrations/cell/9999_bad.sql'
    checkout.write(
      file,
      `alter table cell.account add column nickname text not null;
       create index account_nickname on cell.account (tenant_id, nickname);
       alter table cell.account drop column created_at;`,
    )
    assert.deepEqual(newMigrations(checkout.path), [file])
    const found = lint(checkout.path, newMigrations(checkout.path))
    for (const rule of [
      'require-lock-timeout',
      'adding-required-field',
      'require-concurrent-index-creation',
      'ban-drop-column',
    ])
      assert.match(found, new RegExp(`9999_bad\\.sql.* ${rule} `))

    checkout.write(
      file,
      `set local lock_timeout = '5s';
       set local statement_timeout = '10min';
       alter table cell.account add column nickname text;`,
    )
    assert.equal(lint(checkout.path, newMigrations(checkout.path)), '')

    checkout.write(file, 'create index concurrently if not exists nicknames on cell.account (tenant_id, nickname);')
    assert.equal(lint(checkout.path, newMigrations(checkout.path)), '')
  })
})
